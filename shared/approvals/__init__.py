"""Deciding what was proposed: exactly what was shown is done, once."""
