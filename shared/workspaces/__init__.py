"""Workspaces: made by an operator, lived in by their members, deleted with everything that hangs below."""
