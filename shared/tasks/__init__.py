"""Creating and changing tasks."""
