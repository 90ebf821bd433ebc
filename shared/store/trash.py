"""workspaces/{workspace}/trash: deleted notes. A note moves there and back in one commit; all else stays in its place.

So nothing that reads notes has to know of the trash: lists, search, triggers and tools see a note that is gone.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from shared.clock import Clock
from shared.contracts.events import Event, EventType
from shared.contracts.portability import IMPORT_MARK
from shared.contracts.trash import TRASH_KEPT, TRASH_LEFT, TrashedNote
from shared.errors import Conflict, NotFound
from shared.store import paths
from shared.store.changing import Change, Changing
from shared.store.database import Database
from shared.store.documents import parsed, well_formed
from shared.store.notes import Notes
from shared.store.pages import cursor_of, newest_first
from shared.store.streams import Streams
from shared.store.writes import Snapshot, Write, create, delete


class Trash:
    def __init__(self, database: Database, changing: Changing, notes: Notes, streams: Streams, clock: Clock) -> None:
        self._database, self._changing, self._notes = database, changing, notes
        self._streams, self._clock = streams, clock

    def put_in(self, note_id: str, by: str) -> None:
        """Delete the note, so that it can be had back. Appends `note_deleted` {by}. Raises NotFound, Transient."""
        place = paths.note(note_id)

        def decide(_before: Snapshot) -> Change:
            note = self._database.get(place)
            if note.fields is None:
                raise NotFound(f"There is no note {note_id}.")
            now = self._clock.now()
            event = self._event(note_id, EventType.NOTE_DELETED, by)
            kept = TrashedNote(id=note_id, by=by, created_at=now, expire_at=now + TRASH_KEPT + TRASH_LEFT)
            fields = kept.model_dump() | {"note": {**note.fields, "seq": event.seq}}
            return Change(fields, (delete(place, note.update_time), _written(place, event)))

        self._changing.change(paths.trashed(note_id), decide, point="note.trash")

    def take_out(self, note_id: str, by: str) -> None:
        """Have the note back as it was; one that is there stays. Appends `note_restored` {by}.

        Raises NotFound where it is neither or is being purged, Conflict where a new note has its id, Transient.
        """
        place, trashed = paths.note(note_id), paths.trashed(note_id)

        def decide(current: Snapshot) -> Change | None:
            kept = self._database.get(trashed)
            if kept.fields is None and current.fields is not None:
                return None
            if kept.fields is None:
                raise NotFound(f"There is no note {note_id}, in the trash neither.")
            if kept.fields.get("purging"):
                raise NotFound(f"The note {note_id} is just being taken away for good.")
            if current.fields is not None:
                raise Conflict(f"There is a newer note {note_id}: delete that first.")
            event = self._event(note_id, EventType.NOTE_RESTORED, by)
            fields = dict(kept.fields.get("note") or {}) | {"seq": event.seq, "restored_at": event.at}
            fields.pop(IMPORT_MARK, None)  # it is written by a person now, and what follows from that follows
            return Change(fields, (delete(trashed, kept.update_time), _written(place, event)))

        self._changing.change(place, decide, point="note.restore")

    def list(self, limit: int, cursor: str | None = None) -> tuple[tuple[TrashedNote, ...], str | None]:
        """A page, what was deleted last first, and the cursor of the next. Raises InputError for a bad cursor."""
        found = self._database.query("trash", newest_first((), limit + 1, cursor))
        page = found[:limit]
        more = len(found) > limit
        return tuple(well_formed(TrashedNote, page)), cursor_of(page[-1].fields or {}, page[-1].id) if more else None

    def find(self, note_id: str) -> TrashedNote | None:
        found = self._database.get(paths.trashed(note_id))
        return None if found.fields is None else parsed(TrashedNote, found.fields, found.path)

    def purge(self, note_id: str) -> None:
        """Take the note away for good, with its parts and events. Raises NotFound where it is not in the trash.

        It is marked first: from then on nobody can have it back, and who was faster keeps it.
        """
        self._changing.change(paths.trashed(note_id), partial(_marked, note_id), point="note.purge.mark")
        if self._notes.find(note_id) is None:  # else what lies below it belongs to the note that has its id now
            self._notes.delete(note_id, point="note.purge")
        self._database.commit([delete(paths.trashed(note_id))], "note.purge.trash")

    def _event(self, note_id: str, kind: str, by: str) -> Event:
        seq = self._streams.last_seq(paths.note(note_id)) + 1
        return Event(id=f"{note_id}-{seq}", seq=seq, type=kind, at=self._clock.now(), data={"by": by})


def _marked(note_id: str, kept: Snapshot) -> Change | None:
    if kept.fields is None:
        raise NotFound(f"There is no note {note_id} in the trash.")
    return None if kept.fields.get("purging") else Change({"purging": True})


def _written(place: str, event: Event) -> Write:
    fields: dict[str, Any] = event.model_dump()
    return create(paths.event(place, event.seq), fields)
