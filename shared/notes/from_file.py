"""Taking notes in from files: created once under the id the file says, updated where the file alone has changed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from shared.clock import Clock
from shared.contracts.events import EventType
from shared.contracts.limits import CITATIONS_BYTES
from shared.contracts.note_files import FileOutcome, FileResult, NoteFile, NoteText
from shared.contracts.notes import Note, NoteKind, asks_for_research
from shared.errors import InputError, MemexError, Transient
from shared.notes.create import check_body
from shared.notes.fingerprints import fingerprint
from shared.store.claims import HeldClaim
from shared.store.note_reading import NoteReading
from shared.store.notes import body_fields
from shared.store.paths import is_segment
from shared.store.streams import Append, Appended, EventDraft
from shared.store.workspace import WorkspaceStore
from shared.store.writes import Snapshot, Write

ORIGIN = "origin"
"""The field of a note's document that keeps {name, fingerprint} of the file it was last taken in from."""
_COMMITTED = timedelta(seconds=15)
"""A commit is done, or not done, within this."""


@dataclass(frozen=True)
class How:
    """See NoteFiles; `by` is who takes them in."""

    by: str
    research: bool = False
    overwrite: bool = False
    dry_run: bool = False


class _Left(MemexError):
    """Nothing is to be written; `result` says why."""

    def __init__(self, outcome: FileOutcome, message: str, before: Note | None = None) -> None:
        super().__init__(message)
        self.outcome, self.before = outcome, before


def take_in(store: WorkspaceStore, file: NoteFile, how: How, *, clock: Clock) -> FileResult:
    """What becomes of one file; what is wrong with it is a refusal in the result. Raises Transient."""
    try:
        _check(file)
        return _Taking(store, file, how, clock).run()
    except Transient:
        raise
    except _Left as left:
        before = _text(left.before) if left.before is not None and how.dry_run else None
        return FileResult(id=file.id, outcome=left.outcome, message=left.message, before=before)
    except MemexError as error:
        return FileResult(id=file.id, outcome=FileOutcome.REFUSED, message=error.message)


def _check(file: NoteFile) -> None:
    if not is_segment(file.id) or not file.id.strip():
        raise InputError("id: an id is 1 to 1500 bytes without a slash", field="id")
    check_body(file.body)
    if len(file.model_dump_json(include={"citations"})) > CITATIONS_BYTES:
        raise InputError("citations: they are too many, or too long", field="citations")


class _Taking:
    """One file on its way into the store."""

    def __init__(self, store: WorkspaceStore, file: NoteFile, how: How, clock: Clock) -> None:
        self._store, self._file, self._how, self._clock = store, file, how, clock
        self._print = fingerprint(file.title, file.tags, file.body)
        self._outcome = FileOutcome.SAME
        self._before: Note | None = None
        self._asks = False
        self._held: HeldClaim | None = None

    def run(self) -> FileResult:
        if self._how.dry_run:
            found = self._store.notes.look(self._file.id)
            self._decide(*(found or (None, None)))
        else:
            self._settle(self._append())
        before = _text(self._before) if self._before is not None and self._how.dry_run else None
        researched = self._asks and self._how.research
        return FileResult(id=self._file.id, outcome=self._outcome, before=before, researched=researched)

    def _append(self) -> Appended:
        point = "note.from_file"
        return self._store.notes.append(self._file.id, self._decide, point=point, create=True)

    def _decide(self, stored: NoteReading | None, current: Snapshot | None) -> Append | None:
        if stored is None:
            return self._creation(current)
        note = self._store.notes.get(self._file.id) if stored.note.parts else stored.note
        if fingerprint(note.title, note.tags, note.body) == self._print:
            self._outcome = FileOutcome.SAME
            return None
        self._allowed(note, (current.fields or {}) if current is not None else {})
        self._outcome, self._before = FileOutcome.UPDATED, note
        return self._update(note, current)

    def _creation(self, current: Snapshot | None) -> Append:
        if self._store.trash.find(self._file.id) is not None:
            raise _Left(FileOutcome.IN_TRASH, "The note was deleted, and lies in the trash: restore it there.")
        self._outcome, now, file = FileOutcome.CREATED, self._clock.now(), self._file
        created = min(file.created_at or now, now)
        kept = file.model_dump(include={"kind", "summary", "source_note_id", "operation_id", "run_id", "partial"})
        note = Note(
            id=file.id,
            title=file.title,
            body=file.body,
            tags=tuple(dict.fromkeys(file.tags)),
            citations=file.citations,
            created_at=created,
            updated_at=max(created, min(file.updated_at or now, now)),
            **kept,
        )
        fields, parts = body_fields(note.id, note.body)
        event = EventDraft(EventType.NOTE_CREATED, {"by": self._how.by, "via": f"file {file.name}"})
        claim = self._kept_quiet((), note.kind, current)
        return Append(note.model_dump() | fields | self._origin(), (event,), (*parts, *claim))

    def _allowed(self, note: Note, fields: Any) -> None:
        """Raises _Left unless the file alone has changed, or is to win."""
        origin = fields.get(ORIGIN)
        known = {self._file.base, origin.get("fingerprint") if isinstance(origin, dict) else None}
        if self._how.overwrite or fingerprint(note.title, note.tags, note.body) in known:
            return
        if self._print in known:
            raise _Left(FileOutcome.NOTE_NEWER, "The file has not changed since; the note has.")
        raise _Left(FileOutcome.CONFLICT, "The file and the note have both changed; --overwrite takes the file.", note)

    def _update(self, note: Note, current: Snapshot | None) -> Append:
        file = self._file
        tags = tuple(dict.fromkeys(file.tags))
        body, parts = body_fields(note.id, file.body, old_parts=note.parts)
        changed: dict[str, Any] = {
            name: {"from": old, "to": new}
            for name, old, new in (("title", note.title, file.title), ("tags", note.tags, tags))
            if old != new
        }
        if file.body != note.body:
            changed["body"] = {"from_bytes": note.body_bytes, "to_bytes": body["body_bytes"]}
        event = EventDraft(EventType.NOTE_CHANGED, {"by": self._how.by, "via": f"file {file.name}", "changed": changed})
        fields = {"title": file.title, "tags": tags, "updated_at": self._clock.now(), **body, **self._origin()}
        return Append(fields, (event,), (*parts, *self._kept_quiet(note.tags, note.kind, current)))

    def _origin(self) -> dict[str, Any]:
        return {ORIGIN: {"name": self._file.name, "fingerprint": self._print}}

    def _kept_quiet(self, before: tuple[str, ...], kind: NoteKind, current: Snapshot | None) -> tuple[Write, ...]:
        """The claim by which a tag that comes with the file counts as dealt with, unless research is wanted.

        The moment in it has to lie after this commit, whose own is known only when it is made.
        """
        self._held = None
        self._asks = kind is NoteKind.CAPTURE and asks_for_research(self._file.tags) and not asks_for_research(before)
        if not self._asks or self._how.research or current is None:
            return ()
        self._held = self._store.claims.read(self._file.id)
        return (self._held.write(self._held.claim.model_copy(update={"tagged_at": current.read_time + _COMMITTED})),)

    def _settle(self, appended: Appended) -> None:
        """Put the commit's own moment into the claim, so that a tagging right after it is heard."""
        if not appended.changed or self._held is None or appended.update_time is None:
            return
        held = self._store.claims.read(self._file.id)
        try:
            self._store.claims.save(
                held, held.claim.model_copy(update={"tagged_at": appended.update_time}), point="claim.from_file"
            )
        except Transient:
            return  # somebody has just written it: theirs is newer


def _text(note: Note) -> NoteText:
    return NoteText(title=note.title, tags=note.tags, body=note.body)
