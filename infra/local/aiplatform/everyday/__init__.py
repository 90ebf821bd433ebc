"""Everyday requests to a chat with tools, understood by rule: the emulated model's stand-in for understanding."""
