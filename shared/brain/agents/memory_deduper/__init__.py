"""Finds what is remembered already: the same statement a second time is a source more, and no second record."""
