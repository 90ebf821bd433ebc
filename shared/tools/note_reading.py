"""A note as the tools look at it."""

from __future__ import annotations

from typing import Any

from shared.contracts.notes import Note
from shared.errors import NotFound
from shared.store.writes import Snapshot
from shared.tools.limits import EXCERPT_CHARACTERS
from shared.tools.tool import Job

_NAME_CHARACTERS = 80


def note_and_document(job: Job, note_id: str) -> tuple[Note, Snapshot]:
    """The note (with the inline part of its body) and its document, of one moment. Raises NotFound."""
    seen = job.store.notes.look(note_id)
    if seen is None:
        raise NotFound(f"There is no note {note_id}.")
    return seen[0].note, seen[1]


def named(title: str, body: str) -> str:
    """The title, or the beginning of the text."""
    return title or body.strip().partition("\n")[0][:_NAME_CHARACTERS]


def facts(note: Note) -> dict[str, Any]:
    """What a model is told about a note, besides its text; all of it is data, whatever it says."""
    return {
        "note_id": note.id,
        "title": note.title[:EXCERPT_CHARACTERS],
        "kind": note.kind.value,
        "tags": list(note.tags),
        "created_at": note.created_at.isoformat(timespec="seconds"),
        **({"source_note_id": note.source_note_id} if note.source_note_id else {}),
    }


def excerpt(note: Note) -> str:
    """The beginning of the text, on one line."""
    return " ".join(note.body[: EXCERPT_CHARACTERS * 2].split())[:EXCERPT_CHARACTERS]
