"""workspaces/{workspace}/notes: read whole, list, search, write, delete. A long body goes on in parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shared.contracts.notes import Note
from shared.errors import NotFound, Transient
from shared.store import paths
from shared.store.database import Database, Filter, Query
from shared.store.note_body import split
from shared.store.note_reading import NoteReading, read_note
from shared.store.pages import cursor_of, newest_first
from shared.store.streams import Append, Appended, Streams
from shared.store.writes import Snapshot, Write, create, delete, put

SCAN_DOCUMENTS = 500
"""How many notes one search looks at; its cursor goes on where it stopped, even after a page with no match."""
_SCAN_PAGE = 100
_DELETE_PAGE = 200
_READ_TRIES = 5
_IN, _TITLED = 30, 300
"""How many values one query takes, and how many notes of those titles it looks at."""


@dataclass(frozen=True)
class NotesPage:
    """Notes with inline bodies, the cursor of the next page, and how many documents were looked at."""

    notes: tuple[Note, ...]
    next_cursor: str | None
    scanned: int


@dataclass(frozen=True)
class NotesWanted:
    """`q` is looked for in titles and inline bodies, whatever the case."""

    limit: int
    kind: str | None = None
    tag: str | None = None
    q: str | None = None
    cursor: str | None = None

    @property
    def filters(self) -> tuple[Filter, ...]:
        kind: tuple[Filter, ...] = (("kind", "==", self.kind),) if self.kind is not None else ()
        tag: tuple[Filter, ...] = (("tags", "array_contains", self.tag),) if self.tag is not None else ()
        return (*kind, *tag)


DecideNote = Callable[[NoteReading | None, Snapshot], Append | None]


class Notes:
    def __init__(self, database: Database, streams: Streams) -> None:
        self._database, self._streams = database, streams

    def find(self, note_id: str) -> NoteReading | None:
        """The document alone, with the inline part of the body."""
        return reading_of(self._database.get(paths.note(note_id)))

    def get(self, note_id: str) -> Note:
        """The note with its whole body, all of one moment. Raises NotFound."""
        reading = self._found(note_id, self._database.get(paths.note(note_id)))
        for _ in range(_READ_TRIES):
            count = reading.note.parts
            if not count:
                return reading.note
            wanted = [paths.note(note_id), *(paths.part(note_id, n) for n in range(count))]
            first, *parts = self._database.get_all(wanted)
            reading = self._found(note_id, first)
            if reading.note.parts == count:
                return _joined(reading.note, parts)
        raise Transient(f"The note {note_id} changes faster than it can be read: try again.")

    def list(self, wanted: NotesWanted) -> NotesPage:
        """A page, newest first. With `q` at most SCAN_DOCUMENTS are read. Raises InputError for a bad cursor."""
        notes: list[Note] = []
        last: tuple[Mapping[str, Any], str] | None = None
        scanned, size = 0, wanted.limit + 1 if wanted.q is None else _SCAN_PAGE
        cursor = wanted.cursor
        while True:
            found = self._database.query("notes", newest_first(wanted.filters, size, cursor))
            for one in found:
                if len(notes) == wanted.limit:
                    return NotesPage(tuple(notes), cursor_of(*last) if last else None, scanned)
                scanned, last = scanned + 1, (one.fields or {}, one.id)
                notes.extend(_matching(one, wanted.q))
            if len(found) < size:
                return NotesPage(tuple(notes), None, scanned)
            if last is None or scanned >= SCAN_DOCUMENTS:
                return NotesPage(tuple(notes), cursor_of(*last) if last else None, scanned)
            cursor = cursor_of(*last)

    def titled(self, titles: Sequence[str]) -> dict[str, str]:
        """The ids of notes by title, as far as there are any; of several with one title the newest."""
        found: dict[str, Snapshot] = {}
        for start in range(0, len(titles), _IN):
            asked = Query(_TITLED, (("title", "in", list(titles[start : start + _IN])),), fields=("title",))
            for one in self._database.query("notes", asked):
                title = str((one.fields or {})["title"])
                known = found.get(title)
                if known is None or (one.create_time or one.read_time) > (known.create_time or known.read_time):
                    found[title] = one
        return {title: one.id for title, one in found.items()}

    def look(self, note_id: str) -> tuple[NoteReading, Snapshot] | None:
        """The note with the inline part of its body, and its document for its times; None where there is none."""
        found = self._database.get(paths.note(note_id))
        reading = reading_of(found)
        return None if reading is None else (reading, found)

    def append(self, note_id: str, decide: DecideNote, *, point: str, create: bool = False) -> Appended:
        """`Streams.append` on a note; `decide` gets it as read, with the inline part of the body."""
        return self._streams.append(
            paths.note(note_id), lambda current: decide(reading_of(current), current), point=point, create=create
        )

    def delete(self, note_id: str, *, point: str) -> None:
        """Take away parts, events and then the note. Idempotent: what an earlier try left is taken away too."""
        self._sweep(note_id, point)
        self._database.commit([delete(paths.note(note_id))], point)
        # No event can be added to a missing note, so what came in between is found now.
        self._sweep(note_id, point)

    def _sweep(self, note_id: str, point: str) -> None:
        for collection in ("parts", "events"):
            for batch in self._pages(f"{paths.note(note_id)}/{collection}"):
                self._database.commit([delete(one.path) for one in batch], f"{point}.{collection}")

    def _pages(self, collection: str) -> Iterator[Sequence[Snapshot]]:
        while found := self._database.query(collection, Query(limit=_DELETE_PAGE, fields=("__name__",))):
            yield found

    def _found(self, note_id: str, found: Snapshot) -> NoteReading:
        reading = reading_of(found)
        if reading is None:
            raise NotFound(f"There is no note {note_id}.")
        return reading


def reading_of(found: Snapshot) -> NoteReading | None:
    if found.fields is None:
        return None
    updated_at = found.update_time or found.read_time
    return read_note(found.id, found.fields, created_at=found.create_time or updated_at, updated_at=updated_at)


def creating(note: Note) -> tuple[Write, ...]:
    """The writes of a new note with its whole body in `note.body`; to be committed together with what causes it."""
    fields, parts = body_fields(note.id, note.body)
    return create(paths.note(note.id), note.model_dump() | fields), *parts


def body_fields(note_id: str, body: str, old_parts: int = 0) -> tuple[dict[str, Any], tuple[Write, ...]]:
    """The note's fields for a body, and the writes of its parts; parts of a longer old body are deleted."""
    inline, parts = split(body)
    fields = {"body": inline, "parts": len(parts), "body_bytes": len(body.encode())}
    kept = (put(paths.part(note_id, n), {"v": 1, "n": n, "text": text}) for n, text in enumerate(parts))
    gone = (delete(paths.part(note_id, n)) for n in range(len(parts), old_parts))
    return fields, (*kept, *gone)


def _joined(note: Note, parts: list[Snapshot]) -> Note:
    texts = (str((part.fields or {}).get("text", "")) for part in parts)
    return note.model_copy(update={"body": note.body + "".join(texts)})


def _matching(found: Snapshot, q: str | None) -> list[Note]:
    reading = reading_of(found)
    if reading is None:
        return []
    wanted = q is None or any(q.casefold() in text.casefold() for text in (reading.note.title, reading.note.body))
    return [reading.note] if wanted else []
