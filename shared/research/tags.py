"""Whether a note is to be researched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared.contracts.notes import PLAN_TAG, NoteKind, asks_for_research
from shared.store.note_reading import NoteReading


def researched(fields: Mapping[str, Any] | None) -> bool:
    """Whether a note document is a capture with a tag that asks for it; a kind that is missing counts as capture."""
    if fields is None or fields.get("kind", NoteKind.CAPTURE.value) != NoteKind.CAPTURE.value:
        return False
    tags = fields.get("tags")
    given = tags if isinstance(tags, list | tuple) else ()
    return asks_for_research(tag.strip().lower() for tag in given if isinstance(tag, str))


def wanted(reading: NoteReading) -> bool:
    """Whether the note is, as it is now, to be researched."""
    invalid = "kind" in reading.invalid
    return not invalid and reading.note.kind is NoteKind.CAPTURE and asks_for_research(reading.note.tags)


def plan_wanted(reading: NoteReading) -> bool | None:
    """Whether its tags ask for a plan first; None where they leave that to the workspace."""
    return True if PLAN_TAG in reading.note.tags else None
