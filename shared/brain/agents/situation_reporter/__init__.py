"""Writes a note on how things stand, once a day at most."""
