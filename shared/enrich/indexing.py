"""The index of a note, for one state of it: an older state never replaces a newer one."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime

from shared.contracts.note_index import NoteIndex
from shared.contracts.notes import Note
from shared.search.passages import PASSAGE_CHARACTERS, plain
from shared.search.terms import terms_of
from shared.store.values import plain as plain_value
from shared.store.workspace import WorkspaceStore

_TITLE_CHARACTERS = 300


@dataclass(frozen=True)
class State:
    """A note as it was at one moment, with the inline part of its body."""

    note: Note
    updated_at: datetime
    """The update time of its document."""

    @property
    def content_hash(self) -> str:
        """Of what a summary is made from."""
        return hashlib.sha256(f"{self.note.title}\x1f{self.note.body}".encode(errors="replace")).hexdigest()


def state_of(store: WorkspaceStore, note_id: str) -> State | None:
    """The note as it is now."""
    seen = store.notes.look(note_id)
    if seen is None:
        return None
    reading, found = seen
    return State(reading.note, plain_value(found.update_time or found.read_time))


def indexed(state: State, before: NoteIndex | None) -> NoteIndex:
    """The index of that state; what a model made of the note is kept from `before`."""
    note = state.note
    found = terms_of(note.title, note.body, note.tags, note.summary)
    kept = before.model_dump() if before is not None else {}
    return NoteIndex(
        **kept
        | {
            "id": note.id,
            "note_updated_at": state.updated_at,
            "kind": note.kind,
            "title": note.title[:_TITLE_CHARACTERS],
            "tags": note.tags,
            "created_at": note.created_at,
            "updated_at": note.updated_at,
            "excerpt": plain(note.body[: PASSAGE_CHARACTERS * 3], PASSAGE_CHARACTERS),
            "terms": found.terms,
            "frequencies": found.frequencies,
            "length": found.length,
        }
    )
