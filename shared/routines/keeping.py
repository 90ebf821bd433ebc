"""The note of a period: made, replaced by a newer one, and left alone once someone has changed it by hand."""

from __future__ import annotations

from datetime import datetime

from shared.contracts.events import EventType
from shared.contracts.notes import Note, NoteKind
from shared.ids import derived
from shared.notes.create import check_body
from shared.routines.gathering import Material
from shared.routines.listing import listed, title_of
from shared.routines.periods import Period
from shared.store.effects import EACH_TIME, Once
from shared.store.note_reading import NoteReading
from shared.store.notes import body_fields
from shared.store.streams import Append, EventDraft
from shared.store.workspace import WorkspaceStore
from shared.store.writes import Snapshot

_WRITTEN_AT = "routine_written_at"
"""A field of the note's document: when a routine wrote it last."""


def note_id_of(workspace: str, period: Period) -> str:
    """The same for every run, so that there is one note of a period."""
    return derived("note", workspace, period.kind.value, period.name)


def note_of(note_id: str, material: Material, text: str, now: datetime) -> Note:
    """What a model wrote, above the list."""
    body = "\n\n".join(part for part in (text, listed(material)) if part)
    return Note(
        id=note_id,
        kind=NoteKind(material.period.kind.value),
        title=title_of(material.period),
        body=body,
        body_bytes=len(body.encode()),
        tags=(material.period.kind.value,),
        created_at=now,
        updated_at=now,
    )


def as_written(note: Note, current: Snapshot) -> bool:
    """Whether the note is as a routine wrote it."""
    return (current.fields or {}).get(_WRITTEN_AT) == note.updated_at


def keep(store: WorkspaceStore, note: Note, gathered_at: datetime, effect: Once = EACH_TIME) -> tuple[bool, bool]:
    """Create the note, or replace one older than what was gathered: whether it is new, and whether it was written.

    An effect is marked in the same commit, with the answer {note_id, title}.
    """
    check_body(note.body)
    created: list[bool] = []

    def decide(stored: NoteReading | None, current: Snapshot) -> Append | None:
        created[:] = [stored is None]
        if stored is not None and (stored.note.updated_at >= gathered_at or not as_written(stored.note, current)):
            return None
        old_parts = stored.note.parts if stored is not None else 0
        fields, parts = body_fields(note.id, note.body, old_parts=old_parts)
        kind = EventType.NOTE_CREATED if stored is None else EventType.NOTE_CHANGED
        event = EventDraft(kind, {"by": "memex", "via": f"routine/{note.kind.value}"})
        whole = note.model_dump(exclude={"seq"}) | fields
        kept = whole if stored is None else {**fields, "updated_at": note.updated_at}
        marker = effect.writes({"note_id": note.id, "title": note.title})
        return Append(kept | {_WRITTEN_AT: note.updated_at}, (event,), (*parts, *marker))

    changed = store.notes.append(note.id, decide, point="routine.note", create=True).changed
    return bool(created and created[0] and changed), changed
