"""Judges which recalled records bear on a question; stores nothing."""
