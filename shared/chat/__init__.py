"""Conversations: sessions, turns that survive their connection and their instance, and the loop of model and tools."""
