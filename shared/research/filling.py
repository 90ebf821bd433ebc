"""Notes that other clients wrote straight into the database get what the API would have filled in, by one write.

Only the newest write of a note is looked at, and our own leaves nothing to fill in, so this ends by itself.
"""

from __future__ import annotations

import logging

from shared.contracts.events import EventType
from shared.contracts.limits import TITLE_CHARACTERS
from shared.contracts.notes import Note
from shared.errors import InputError, NotFound
from shared.research.ports import Ports
from shared.store.note_reading import NoteReading, read_note
from shared.store.streams import Append, EventDraft
from shared.store.writes import Snapshot
from shared.trigger import Change

log = logging.getLogger(__name__)


def fill_in(ports: Ports, change: Change) -> None:
    """Set missing fields, put ours right, and tell of the user's fields that this write made invalid."""
    known = set(_old_reading(change).invalid) if change.old is not None else set()

    def decide(reading: NoteReading | None, found: Snapshot) -> Append | None:
        if reading is None or found.update_time != change.update_time:
            return None
        repairs = reading.repairs
        if "title" in reading.missing:
            repairs["title"] = first_line(reading.note)
        invalid = sorted(set(reading.invalid) - known)
        events = (EventDraft(EventType.NOTE_INVALID, {"fields": invalid}),) if invalid else ()
        return Append(repairs, events) if repairs or events else None

    try:
        ports.store(change.workspace).notes.append(change.id, decide, point="note.fill")
    except NotFound:
        return
    except InputError as error:  # such as a document that is full to the last byte: the note stays as it was written
        log.warning("note %s/%s could not be filled in: %s", change.workspace, change.id, error.message)


def first_line(note: Note) -> str:
    """A title for a note without one: the first line of its body that has words."""
    lines = (line.strip("# \t") for line in note.body.splitlines())
    return next((line for line in lines if line), "")[:TITLE_CHARACTERS]


def _old_reading(change: Change) -> NoteReading:
    moment = change.create_time or change.update_time
    assert moment is not None  # a write that left a document has its times
    return read_note(change.id, change.old or {}, created_at=moment, updated_at=moment)
