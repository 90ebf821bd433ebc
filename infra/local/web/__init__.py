"""A few invented web pages, served on loopback, for searches and fetches of the local cloud."""
