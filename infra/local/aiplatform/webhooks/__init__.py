"""Webhooks of interactions: signed, delivered at least once, tried again for a day.

Registered for the project, or named by the create of a run.
"""
