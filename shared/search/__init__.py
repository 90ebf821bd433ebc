"""Finding notes: terms and vectors, ranked."""
