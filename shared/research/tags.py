"""Whether a note is to be researched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared.contracts.notes import RESEARCH_TAG, NoteKind
from shared.store.note_reading import NoteReading


def researched(fields: Mapping[str, Any] | None) -> bool:
    """Whether a note document is a capture with the research tag; a kind that is missing counts as capture."""
    if fields is None or fields.get("kind", NoteKind.CAPTURE.value) != NoteKind.CAPTURE.value:
        return False
    tags = fields.get("tags")
    return isinstance(tags, list | tuple) and any(
        isinstance(tag, str) and tag.strip().lower() == RESEARCH_TAG for tag in tags
    )


def wanted(reading: NoteReading) -> bool:
    """Whether the note is, as it is now, to be researched."""
    invalid = "kind" in reading.invalid
    return not invalid and reading.note.kind is NoteKind.CAPTURE and RESEARCH_TAG in reading.note.tags
