"""Carries document changes to the functions that are triggered by them, as Eventarc does."""
