"""Creating a note, once for each idempotency key."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from shared.clock import Clock
from shared.contracts.events import EventType
from shared.contracts.limits import NOTE_BODY_BYTES
from shared.contracts.notes import Note, NoteCreate, NoteKind
from shared.errors import Conflict, InputError
from shared.ids import IdSource, derived
from shared.store.effects import Effect
from shared.store.idempotency import asked, check_same
from shared.store.note_reading import NoteReading
from shared.store.notes import body_fields
from shared.store.streams import Append, EventDraft
from shared.store.workspace import WorkspaceStore
from shared.store.writes import Snapshot


class InTrash(Conflict):
    """The note is there and was deleted: asking for it again makes no second one."""

    code = "in_trash"


@dataclass(frozen=True)
class Created:
    """The stored note, and whether this call made it."""

    note: Note
    created: bool


def create(store: WorkspaceStore, request: NoteCreate, *, clock: Clock, ids: IdSource, key: str | None) -> Created:
    """Store a capture note; the same `key` in the same workspace is the same note.

    Raises Unprocessable when the key was used with another request, InTrash when its note was deleted, InputError when
    the body has too many bytes.
    """
    check_body(request.body)
    note_id = derived("note", store.workspace, key) if key is not None else ids.fresh()
    now = clock.now()
    note = Note(
        id=note_id,
        title=request.title,
        body=request.body,
        tags=tuple(dict.fromkeys(request.tags)),
        created_at=now,
        updated_at=now,
    )

    def decide(stored: NoteReading | None, current: Snapshot) -> Append | None:
        if stored is None:
            if key is not None:
                _check_trash(store, note_id, request)
            fields, parts = body_fields(note_id, note.body)
            return Append(note.model_dump() | fields | asked(request), also=parts)
        check_same(request, current.fields, "note")
        return None

    appended = store.notes.append(note_id, decide, point="note.create", create=True)
    if appended.changed:
        return Created(
            note.model_copy(update={"body_bytes": len(note.body.encode()), "parts": appended.fields["parts"]}), True
        )
    return Created(store.notes.get(note_id), False)


def _check_trash(store: WorkspaceStore, note_id: str, request: NoteCreate) -> None:
    trashed = store.trash.find(note_id)
    if trashed is None:
        return
    check_same(request, trashed.note, "note")
    message = "The note of this Idempotency-Key was deleted and lies in the trash: restore it, or take a new key."
    raise InTrash(message, note_id=note_id, deleted_at=trashed.created_at.isoformat())


def create_once(store: WorkspaceStore, note: Note, effect: Effect, *, by: str, via: str) -> dict[str, Any]:
    """Store `note`, whole body and all, once for the effect, with an event that says who wrote it for whom.

    Answers {note_id, title, kind, tags}, the same each time. Raises InputError when the body has too many bytes.
    """
    check_body(note.body)
    answer = {"note_id": note.id, "title": note.title, "kind": note.kind.value, "tags": list(note.tags)}

    def decide(stored: NoteReading | None, _current: Snapshot) -> Append | None:
        if stored is not None or effect.happened:
            return None
        fields, parts = body_fields(note.id, note.body)
        event = EventDraft(EventType.NOTE_CREATED, {"by": by, "via": via})
        return Append(note.model_dump() | fields, (event,), (*parts, *effect.writes(answer)))

    store.notes.append(note.id, decide, point="note.create", create=True)
    return effect.settle(answer)


def capture_once(
    store: WorkspaceStore, wanted: NoteCreate, effect: Effect, *, now: datetime, by: str, via: str
) -> dict[str, Any]:
    """Store what is written for a person as their note, once for the effect. Answers and raises as `create_once`."""
    note = Note(
        id=derived("note", store.workspace, effect.key),
        kind=NoteKind.CAPTURE,
        title=wanted.title,
        body=wanted.body,
        body_bytes=len(wanted.body.encode()),
        tags=tuple(dict.fromkeys(wanted.tags)),
        created_at=now,
        updated_at=now,
    )
    return create_once(store, note, effect, by=by, via=via)


def check_body(body: str) -> None:
    """Raises InputError for a body over NOTE_BODY_BYTES; the model has only counted its characters."""
    size = len(body.encode())
    if size > NOTE_BODY_BYTES:
        raise InputError(f"body: {size} bytes are too many, {NOTE_BODY_BYTES} at most", field="body")
