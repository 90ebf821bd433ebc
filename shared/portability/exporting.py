"""The documents of a workspace as they were at one moment, page by page, with work at rest."""

from __future__ import annotations

from contextlib import closing
from datetime import datetime

from shared import cursors
from shared.contracts.portability import (
    EXPORT_PAGE_BYTES,
    EXPORT_PAGE_DOCUMENTS,
    ExportAnswer,
    ExportPage,
    PortableDocument,
)
from shared.errors import NotFound
from shared.ids import IdSource
from shared.portability.portable import portable
from shared.portability.rest import JOBS_IN_FLIGHT, at_rest, closing_event, counted, lease_kept
from shared.store.collections import IDS, Kept, collection_of, tops
from shared.store.raw import RawDocument, RawDocuments
from shared.store.typed import line_of, moment

WORKSPACE = "workspace"
"""The workspace's own document, as if it were a collection of one."""
_LITTLE = ("kind",)
"""Of a note of which only the moment is wanted: its body may be long."""
_OWNERS = ("status", "seq", "turn", "goal")


class Exporting:
    def __init__(self, raw: RawDocuments, workspace: str, ids: IdSource, *, objects: bool) -> None:
        self._raw, self._workspace, self._ids, self._objects = raw, workspace, ids, objects

    def begin(self) -> ExportAnswer:
        """A moment, and what there is to read at it."""
        return ExportAnswer(
            export_id=self._ids.fresh(),
            workspace=self._workspace,
            at=self._raw.now(),
            collections=(*IDS, WORKSPACE),
            unknown=tuple(sorted(set(self._raw.tops()) - tops())),
            objects=self._objects,
        )

    def page(self, collection_id: str, at: datetime, cursor: str | None) -> ExportPage:
        """Documents of all collections of that id after the cursor.

        Raises NotFound for a collection that is none, InputError for a cursor that is none, SnapshotGone.
        """
        if collection_id == WORKSPACE:
            found = self._raw.read([""], at)
            return ExportPage(documents=tuple(_shown(one) for one in found.values()))
        if collection_id not in IDS:
            raise NotFound(f"There is no collection {collection_id} to export.")
        read, more = self._read(collection_id, at, _path_in(cursor))
        kept = [one for one in read if _kept(one)]
        documents = tuple(_shown(one) for one in self._rested(collection_id, kept, at))
        return ExportPage(documents=documents, next_cursor=cursors.cursor_of([read[-1].path]) if more else None)

    def _read(self, collection_id: str, at: datetime, after: str | None) -> tuple[list[RawDocument], bool]:
        """The documents of a page, and whether there may be more."""
        read, size = [], 0
        with closing(self._raw.walk(collection_id, after=after, limit=EXPORT_PAGE_DOCUMENTS, at=at)) as found:
            for one in found:
                read.append(one)
                size += len(line_of(one.path, one.fields))
                if size >= EXPORT_PAGE_BYTES:
                    return read, True
        return read, len(read) == EXPORT_PAGE_DOCUMENTS

    def _rested(self, collection_id: str, found: list[RawDocument], at: datetime) -> list[RawDocument]:
        text = moment(at)
        if collection_id == "events":
            return self._with_closing(found, at)
        if collection_id == "note_index":
            return self._fresh(found, at)
        if collection_id == "brain_counts" and found:
            jobs = self._raw.where("memory_jobs", "status", JOBS_IN_FLIGHT, at)
            return [counted(one, jobs) for one in found]
        if collection_id == "turns":
            sessions = self._raw.read((_owner(one) for one in found), at)
            return [at_rest(one, sessions.get(_owner(one)), text) for one in found]
        return [at_rest(one, None, text) for one in found]

    def _with_closing(self, found: list[RawDocument], at: datetime) -> list[RawDocument]:
        """The event that ends what is under way comes right after the last one of its stream."""
        owners = self._raw.read((_owner(one) for one in found), at, _OWNERS)
        out: list[RawDocument] = []
        for one in found:
            out.append(one)
            owner = owners.get(_owner(one))
            if owner is not None and owner.fields.get("seq") == one.fields.get("seq"):
                closing = closing_event(owner, moment(at))
                out += [closing] if closing is not None else []
        return out

    def _fresh(self, found: list[RawDocument], at: datetime) -> list[RawDocument]:
        """Without the index of a state that the note is not in any more: where it is taken in it is made anew."""
        notes = self._raw.read((f"notes/{_id(one)}" for one in found), at, _LITTLE)
        kept = []
        for one in found:
            note, made_from = notes.get(f"notes/{_id(one)}"), one.fields.get("note_updated_at")
            text = made_from.get("$timestamp") if isinstance(made_from, dict) else None
            if note is not None and note.update_time is not None and text and text >= moment(note.update_time):
                kept.append(at_rest(one, None, moment(at)))
        return kept


def _kept(one: RawDocument) -> bool:
    collection = collection_of(one.path)
    if collection is None or collection.kept is Kept.LEFT_OUT:
        return False
    return collection.id != "leases" or lease_kept(one)


def _shown(one: RawDocument) -> PortableDocument:
    return PortableDocument(path=one.path, fields=dict(portable(one).fields))


def _owner(one: RawDocument) -> str:
    return one.path.rsplit("/", 2)[0]


def _id(one: RawDocument) -> str:
    return one.path.rpartition("/")[2]


def _path_in(cursor: str | None) -> str | None:
    if cursor is None:
        return None
    (path,) = key if len(key := cursors.key_in(cursor)) == 1 else [None]
    if not isinstance(path, str) or collection_of(path) is None:
        raise cursors.not_ours()
    return path
