"""Gemini through google-genai, by API key or on Vertex."""
