"""Summarises a document level by level: its pieces, those summaries, and so on up to one."""
