"""Searching the web: one port, and whoever is set to answer behind it."""
