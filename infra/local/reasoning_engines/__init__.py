"""The session service of Vertex AI's reasoning engines, emulated."""
