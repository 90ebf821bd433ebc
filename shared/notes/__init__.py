"""Notes as a person sees them: create, change, delete, each with what must happen in the same commit."""
