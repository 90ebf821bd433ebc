"""A note as the tools look at it."""

from __future__ import annotations

from shared.contracts.notes import Note
from shared.errors import NotFound
from shared.store.writes import Snapshot
from shared.tools.tool import Job

_NAME_CHARACTERS = 80


def note_and_document(job: Job, note_id: str) -> tuple[Note, Snapshot]:
    """The note (with the inline part of its body) and its document, of one moment. Raises NotFound."""
    seen = job.store.notes.look(note_id)
    if seen is None:
        raise NotFound(f"There is no note {note_id}.")
    return seen[0].note, seen[1]


def named(note: Note) -> str:
    """The title, or the beginning of the text."""
    return note.title or note.body.strip().partition("\n")[0][:_NAME_CHARACTERS]
