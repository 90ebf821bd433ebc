"""A function that cannot be loaded."""

raise ImportError("no such library")
