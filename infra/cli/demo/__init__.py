"""The demonstration: a small memex of sample notes, one of them researched before your eyes."""
