"""What is derived from a note: index, summary, suggested tags."""
