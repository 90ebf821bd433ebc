"""The standard library, one module per family, and the table that says what exists."""
