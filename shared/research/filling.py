"""Notes that other clients wrote straight into the database get what the API would have filled in, by one write.

Only the newest write of a note is looked at, and our own leaves nothing to fill in, so this ends by itself.
"""

from __future__ import annotations

import logging
from datetime import datetime

from shared.contracts.events import EventType
from shared.errors import Conflict, InputError, NotFound
from shared.research.ports import Ports
from shared.store.note_reading import NoteReading, read_note
from shared.store.notes import DecideNote
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
        invalid = sorted(set(reading.invalid) - known)
        events = (EventDraft(EventType.NOTE_INVALID, {"fields": invalid}),) if invalid else ()
        return Append(repairs, events) if repairs or events else None

    _append(ports, change.workspace, change.id, decide)


def fill_in_unseen(ports: Ports, workspace: str, note_id: str, before: datetime) -> bool:
    """The same for a note whose event nobody got, such as one too large for an event; whether there was anything.

    A note that was written after `before` is left to its event.
    """

    def decide(reading: NoteReading | None, found: Snapshot) -> Append | None:
        if reading is None or not reading.repairs or (found.update_time or found.read_time) > before:
            return None
        return Append(reading.repairs)

    return _append(ports, workspace, note_id, decide)


def _append(ports: Ports, workspace: str, note_id: str, decide: DecideNote) -> bool:
    try:
        return ports.store(workspace).notes.append(note_id, decide, point="note.fill").changed
    except NotFound:
        return False
    except (Conflict, InputError) as error:
        # Such as a document that is full to the last byte: the note stays as it was written.
        log.warning("note %s/%r could not be filled in: %s", workspace, note_id, error.message)
        return False


def _old_reading(change: Change) -> NoteReading:
    moment = change.create_time or change.update_time
    assert moment is not None  # a write that left a document has its times
    return read_note(change.id, change.old or {}, created_at=moment, updated_at=moment)
