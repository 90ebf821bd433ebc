"""The rows of the route table, by what they are about."""
