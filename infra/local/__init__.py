"""The local cloud: the slice of Google Cloud that Memex uses, in one process, on SQLite."""
