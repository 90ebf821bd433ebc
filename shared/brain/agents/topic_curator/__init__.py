"""Keeps a list of what the records are about."""
