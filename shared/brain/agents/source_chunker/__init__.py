"""Makes sure that the pieces of a document are there, and hands them on to be summarised."""
