"""Looks into notes and documents for what speaks for one of two statements that contradict each other."""
