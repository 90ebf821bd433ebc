"""Parsers, one for each kind of file: they run in the worker alone, where time and memory end."""
