"""Where something was said, read again: the person's own words of a note or a turn, and what stands around them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from shared.contracts.base import Model
from shared.contracts.events import EventType
from shared.contracts.memory import SourceKind, SourceRef
from shared.contracts.notes import Note, NoteKind
from shared.errors import NotFound
from shared.memory.indexing import source_key
from shared.store import paths
from shared.store.workspace import WorkspaceStore

_CONTEXT_CHARACTERS = 1_500
_TITLE_CHARACTERS = 200
_TURNS_BACK = 10
"""A turn is read soon after it ended; when many came since, what was said before it is left out."""


class Source(Model):
    """A note, or a turn of a session."""

    kind: Literal["note", "turn"]
    id: str
    session_id: str | None = None

    @property
    def key(self) -> str:
        return source_key(self.kind, self.id)

    @property
    def keys(self) -> tuple[str, ...]:
        """By which all that it led to is found again: its own, and that of its session."""
        return (self.key, f"session:{self.session_id}") if self.session_id else (self.key,)


@dataclass(frozen=True)
class Reading:
    """A source as it is now. `text` is the person's; `context` is what an assistant said before, and never a source."""

    source: Source
    text: str
    title: str
    said_at: datetime
    context: str = ""
    foreign: str = ""
    """Why none of it counts as the person's words, as a sentence; empty where it does."""

    def ref(self, start: int, end: int, quote: str, said_by: Literal["person", "assistant", "other"]) -> SourceRef:
        return SourceRef(
            kind=SourceKind(self.source.kind),
            id=self.source.id,
            session_id=self.source.session_id,
            start=start,
            end=end,
            quote=quote,
            said_by=said_by,
            said_at=self.said_at,
            title=self.title[:_TITLE_CHARACTERS],
        )


def read(store: WorkspaceStore, source: Source) -> Reading | None:
    """The source with its whole text; None where it is gone. Raises Transient."""
    return _note(store, source) if source.kind == "note" else _turn(store, source)


def gone(store: WorkspaceStore, refs: tuple[SourceRef, ...]) -> bool:
    """Whether none of the notes and turns is there any more."""
    return bool(refs) and not any(_there(store, one) for one in refs)


def _there(store: WorkspaceStore, ref: SourceRef) -> bool:
    if ref.kind is SourceKind.NOTE:
        return store.notes.find(ref.id) is not None
    if ref.kind is SourceKind.TURN and ref.session_id is not None:
        return store.chats.find_turn(ref.session_id, ref.id) is not None
    return True


def _note(store: WorkspaceStore, source: Source) -> Reading | None:
    try:
        note = store.notes.get(source.id)
    except NotFound:
        return None
    return Reading(source, note.body, note.title, note.updated_at, foreign=_foreign(store, note))


def _foreign(store: WorkspaceStore, note: Note) -> str:
    if note.kind is not NoteKind.CAPTURE or note.operation_id is not None or note.run_id is not None:
        return "Memex wrote this note; only what the person captured is remembered."
    for event in store.streams.all(paths.note(note.id)):
        changed = event.data.get("changed") or ()
        written = event.type == EventType.NOTE_CREATED or {"body", "title"} & set(changed)
        if event.data.get("via") and written:
            return "The assistant wrote in this note; only what the person captured is remembered."
    return ""


def _turn(store: WorkspaceStore, source: Source) -> Reading | None:
    if source.session_id is None:
        return None
    session, turn = store.chats.find_both(source.session_id, source.id)
    if turn is None or session is None or session.deleting:
        return None
    before = store.chats.turns(source.session_id, after=turn.n - 2, limit=_TURNS_BACK) if turn.n > 1 else ()
    context = next((one.answer for one in before if one.n == turn.n - 1), "")
    return Reading(source, turn.text, session.title, turn.created_at, context=context[-_CONTEXT_CHARACTERS:])
