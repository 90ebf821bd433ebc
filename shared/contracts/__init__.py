"""The vocabulary: pydantic models of every stored document, event, request and response."""
