"""The library of Memex: what the deployed functions share."""
