"""Taking documents in: each is created where there is none, never written over what is there, and begins nothing.

Whatever comes is put to rest as an export would have it (rest.py), so that an export that somebody has changed by hand
starts nothing either. What is created carries a mark, at which the triggers let it pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from shared.contracts.notes import NoteKind, asks_for_research
from shared.contracts.portability import (
    ImportAnswer,
    ImportBegin,
    ImportDocuments,
    Imported,
    ImportResult,
    ImportResults,
    PortableDocument,
)
from shared.errors import Conflict, InputError, Transient
from shared.portability import granting
from shared.portability.exporting import WORKSPACE
from shared.portability.portable import marked, portable
from shared.portability.rest import at_rest, lease_kept
from shared.store import paths
from shared.store.collections import OWN, Kept, collection_of, tops
from shared.store.errors import Contention, Uncertain
from shared.store.raw import RawDocument, RawDocuments
from shared.store.typed import line_of, moment

RECORD = "leases/import"
_COMMIT_BYTES = 4_000_000
_TRIES = 5
_UNKNOWN = "This version knows no such collection."


class NotEmpty(Conflict):
    """There is something in the workspace already."""

    code = "not_empty"


class Importing:
    def __init__(self, raw: RawDocuments, workspace: str) -> None:
        self._raw, self._workspace = raw, workspace

    def begin(self, wanted: ImportBegin) -> ImportAnswer:
        """Whether this export may be taken in here. Raises NotEmpty, Conflict while another is being taken in."""
        before = self._raw.read([RECORD]).get(RECORD)
        resumed = before is not None and before.fields.get("export_id") == wanted.export_id
        empty = not any(self._raw.anything_in(name) for name in sorted(tops() - set(OWN)))
        if not resumed and before is not None and before.fields.get("ended_at") is None and not wanted.merge:
            raise Conflict("Another export is being taken in: end that first, or take this one in with merge.")
        if not (empty or resumed or wanted.merge):
            raise NotEmpty(
                "The workspace is not empty: import into another one, or with merge into what is there "
                "(memex import --merge)."
            )
        if not resumed and not wanted.dry_run:
            self._raw.put(_record(wanted.export_id, self._raw.now()))
        return ImportAnswer(workspace=self._workspace, empty=empty, resumed=resumed)

    def end(self, export_id: str) -> None:
        """Everything has come. Raises as `begun`."""
        before = self.begun(export_id)
        self._raw.put(before.having(ended_at={"$timestamp": moment(self._raw.now())}))

    def documents(self, wanted: ImportDocuments) -> ImportResults:
        """Take a page in. Raises Conflict where its import was not begun, InputError for a value that is none."""
        if not wanted.dry_run:
            self.begun(wanted.export_id)
        now = moment(self._raw.now())
        refused, given = [], []
        for one in wanted.documents:
            why = _refusal(one, access=wanted.access)
            raw = RawDocument(one.path, one.fields)
            if why is None:
                self._raw.check(raw)
                given.append(portable(at_rest(raw, None, now)))
            else:
                shown = one.path or WORKSPACE
                refused.append(ImportResult(name=shown, outcome=Imported.LEFT_OUT, message=why))
        results = [*refused]
        for batch in _batches(given):
            results += self._taken(batch, dry_run=wanted.dry_run)
        return ImportResults(results=tuple(results))

    def _taken(self, batch: Sequence[RawDocument], *, dry_run: bool) -> list[ImportResult]:
        for _ in range(_TRIES):
            there = self._raw.read(one.path for one in batch)
            missing = [one for one in batch if one.path not in there]
            results = [_compared(one, there.get(one.path)) for one in batch]
            if dry_run or not missing:
                return results
            placed = self._placed(missing)
            left = {one.path for one in missing} - {one.path for one in placed}
            try:
                self._raw.create((*(marked(one, len(_line(one))) for one in placed), *self._claims(placed)))
            except (Contention, Uncertain):
                continue  # a second import beside this one, or an answer that was lost: what is there is looked at
            return [_left_out(one) if one.name in left else one for one in results]
        raise Transient("The workspace changes faster than it can be filled: try again.", retry_after_seconds=2.0)

    def _placed(self, missing: Sequence[RawDocument]) -> list[RawDocument]:
        """With the moments that are this database's own; an index whose note is not here is left to be made anew."""
        names = {one.path: one.path.partition("/")[2] for one in missing if one.path.startswith("note_index/")}
        notes = self._raw.read((f"notes/{name}" for name in names.values()), fields=("kind",))
        placed = []
        for one in missing:
            if one.path not in names:
                placed.append(one)
                continue
            note = notes.get(f"notes/{names[one.path]}")
            if note is not None and note.update_time is not None:
                placed.append(one.having(note_updated_at={"$timestamp": moment(note.update_time)}))
        return placed

    def _claims(self, notes: Sequence[RawDocument]) -> list[RawDocument]:
        """A note that carries the tag `research` and of which nobody knows that it was dealt with is not researched.

        Whoever takes the tag off and puts it on again here asks for it.
        """
        tagged = {paths.claim(one.path.partition("/")[2]): one for one in notes if _asks(one)}
        known = self._raw.read(tagged)
        if len(known) == len(tagged):
            return []
        now = {"$timestamp": moment(self._raw.now())}
        claim = {"v": 1, "operation_id": None, "tagged_at": now, "untagged_at": None}
        return [RawDocument(path, claim) for path in tagged if path not in known]

    def begun(self, export_id: str) -> RawDocument:
        """Its record. Raises Conflict where this export is not being taken in, or nothing may be written any more."""
        self._raw.admit()
        before = self._raw.read([RECORD]).get(RECORD)
        if before is None or before.fields.get("export_id") != export_id:
            raise Conflict("This export is not being taken in: begin with POST import.")
        return before


def _record(export_id: str, begun: datetime) -> RawDocument:
    """What is kept of an import that has begun and not ended."""
    moments = {"begun_at": {"$timestamp": moment(begun)}, "ended_at": None}
    return RawDocument(RECORD, {"v": 1, "export_id": export_id, **moments})


def _refusal(one: PortableDocument, *, access: bool) -> str | None:
    """Why a document is not taken in; None where it is. Raises InputError for a path or a value that is none."""
    raw = RawDocument(one.path, one.fields)
    if one.path == "":
        return granting.refusal(raw) if access else "What a workspace may use is taken in only with access."
    if not all(paths.is_segment(name) for name in one.path.split("/")):
        raise InputError("path: a document's path is ids between slashes", field="path")
    collection = collection_of(one.path)
    if collection is None:
        return _UNKNOWN
    if collection.kept is Kept.LEFT_OUT:
        return collection.why
    if collection.kept is Kept.ACCESS and not access:
        return "Who may come in is taken in only with access."
    if collection.id == "leases" and not lease_kept(raw):
        return "What was held there is not held here."
    return granting.refusal(raw)


def _compared(one: RawDocument, there: RawDocument | None) -> ImportResult:
    name = one.path or WORKSPACE
    if there is None:
        return ImportResult(name=name, outcome=Imported.CREATED)
    if _line(portable(there)) == _line(one):
        return ImportResult(name=name, outcome=Imported.THERE)
    return ImportResult(name=name, outcome=Imported.DIFFERS, message="Another is there, and stays as it is.")


def _left_out(one: ImportResult) -> ImportResult:
    return one.model_copy(update={"outcome": Imported.LEFT_OUT, "message": "Its note is not here."})


def _asks(one: RawDocument) -> bool:
    """Whether a note's document would be researched where it is written."""
    if not one.path.startswith("notes/") or one.path.count("/") != 1:
        return False
    tags, kind = one.fields.get("tags"), one.fields.get("kind", NoteKind.CAPTURE.value)
    given = tags if isinstance(tags, list) else []
    asked = asks_for_research(tag.strip().lower() for tag in given if isinstance(tag, str))
    return kind == NoteKind.CAPTURE.value and asked


def _line(one: RawDocument) -> str:
    return line_of(one.path, one.fields)


def _batches(given: Iterable[RawDocument]) -> Iterable[list[RawDocument]]:
    """What fits one commit; of a document that comes twice only the first."""
    batch: dict[str, RawDocument] = {}
    size = 0
    for one in given:
        length = len(_line(one))
        if batch and size + length > _COMMIT_BYTES:
            yield list(batch.values())
            batch, size = {}, 0
        batch.setdefault(one.path, replace(one, update_time=None))
        size += length
    if batch:
        yield list(batch.values())
