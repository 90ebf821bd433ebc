"""Markdown as safe HTML."""
