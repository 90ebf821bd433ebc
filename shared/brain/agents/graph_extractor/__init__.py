"""Draws people, places and things out of records, and what a record says of two of them."""
