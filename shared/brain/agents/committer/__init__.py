"""Decides on candidates, and alone writes records: by rules, one commit a candidate."""
