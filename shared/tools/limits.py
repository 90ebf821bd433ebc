"""How much a tool takes and gives."""

BODY_CHARACTERS = 50_000
"""Of a note that a model writes: with what is shown of it, a proposal stays far below a document's 1 MiB."""
EXCERPT_CHARACTERS = 300
NOTES_LISTED = 10
NOTES_LISTED_MAX = 50
SHOWN_BYTES = 60_000
"""Of a text, on each side of a proposal."""
