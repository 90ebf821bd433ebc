"""Judges whether what the person is at has shifted."""
