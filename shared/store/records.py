"""workspaces/{workspace}/records: what is remembered. Only what is committed on brain/committer writes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from shared.contracts.memory import Record, RecordIndex, RecordStatus, RecordType
from shared.errors import NotFound
from shared.store import paths
from shared.store.database import Database, Filter, Nearest, Query
from shared.store.documents import parsed, well_formed
from shared.store.pages import cursor_of, newest_first
from shared.store.record_search import Held
from shared.store.writes import Snapshot, Vector, Write, create, delete, update

_FIELDS = tuple(Record.model_fields)
SCAN_DOCUMENTS = 500
"""A page of a list reads no more of them, and may then hold fewer than were asked for."""


@dataclass(frozen=True)
class RecordsWanted:
    """What a list holds. `status` None: all but those that were retracted."""

    limit: int
    type: RecordType | None = None
    status: RecordStatus | None = None
    pinned: bool | None = None
    as_of: datetime | None = None
    """Those that held at that moment."""
    cursor: str | None = None

    @property
    def filters(self) -> tuple[Filter, ...]:
        status: tuple[Filter, ...] = (("status", "==", self.status.value),) if self.status is not None else ()
        return status + ((("type", "==", self.type.value),) if self.type is not None else ())

    def holds(self, record: Record) -> bool:
        """What the filters do not say."""
        if self.status is None and record.status is RecordStatus.RETRACTED:
            return False
        at = self.as_of is None or Held(self.as_of).allows(record.model_copy(update={"excluded": False}))
        return at and self.pinned in (None, record.pinned)


class Records:
    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, record_id: str) -> Record | None:
        """Raises Malformed."""
        found = self._database.get(paths.record(record_id), _FIELDS)
        return None if found.fields is None else parsed(Record, found.fields, found.path)

    def get(self, record_id: str) -> Record:
        """Raises NotFound, Malformed."""
        record = self.find(record_id)
        if record is None:
            raise NotFound(f"There is no record {record_id}.")
        return record

    def several(self, record_ids: Sequence[str]) -> dict[str, Record]:
        """Those of them that are there, by id."""
        found = self._database.get_all([paths.record(one) for one in record_ids], _FIELDS) if record_ids else []
        return {one.id: one for one in well_formed(Record, (each for each in found if each.fields is not None))}

    def stated(self, subject_key: str, property_key: str, limit: int) -> list[Record]:
        """What is known of a property of a subject, whatever its status, the newest first."""
        filters = (("subject_key", "==", subject_key), ("property_key", "==", property_key))
        return self._read(Query(limit, filters, (("created_at", "DESCENDING"),), fields=_FIELDS))

    def of_source(self, source_key: str, limit: int) -> list[Record]:
        """Records that rest on a source, perhaps among others, by {kind}:{id}."""
        return self._read(Query(limit, (("source_keys", "array_contains", source_key),), fields=_FIELDS))

    def superseded_by(self, record_id: str, limit: int) -> list[Record]:
        """Records that held until that one."""
        return self._read(Query(limit, (("superseded_by", "==", record_id),), fields=_FIELDS))

    def with_terms(self, terms: Sequence[str], limit: int) -> list[Record]:
        """Records with any of the terms (30 at most), whatever their status, those written last first."""
        asked: Filter = ("terms", "array_contains_any", list(terms))
        return self._read(Query(limit, (asked,), (("updated_at", "DESCENDING"),), fields=_FIELDS))

    def near(self, vector: Sequence[float], threshold: float, limit: int) -> list[Record]:
        """Records whose embedding is no further than `threshold`, whatever their status, the nearest first."""
        return self._read(Query(limit, fields=_FIELDS, nearest=Nearest("embedding", tuple(vector), threshold)))

    def _read(self, query: Query) -> list[Record]:
        return list(well_formed(Record, self._database.query("records", query)))

    def list(self, wanted: RecordsWanted) -> tuple[tuple[Record, ...], str | None]:
        """A page, newest first, and the cursor of the next. Raises InputError for a bad cursor."""
        records: list[Record] = []
        cursor, scanned, size = wanted.cursor, 0, wanted.limit + 1
        while True:
            found = self._database.query("records", newest_first(wanted.filters, size, cursor))
            last: Snapshot | None = None
            for one in found:
                if len(records) == wanted.limit:
                    return tuple(records), cursor_of(last.fields or {}, last.id) if last else cursor
                scanned, last = scanned + 1, one
                records += [record for record in well_formed(Record, (one,)) if wanted.holds(record)]
            if len(found) < size or last is None:
                return tuple(records), None
            cursor = cursor_of(last.fields or {}, last.id)
            if scanned >= SCAN_DOCUMENTS:
                return tuple(records), cursor


def creating(record: Record, index: RecordIndex, embedding: Sequence[float] | None) -> Write:
    """The write of a new record, with what it is found by."""
    fields: dict[str, Any] = record.model_dump() | index.model_dump(exclude={"embedding", "v"})
    if embedding is not None:
        fields["embedding"] = Vector(tuple(embedding))
    return create(paths.record(record.id), fields)


def changing(record: Record, index: RecordIndex) -> Write:
    """The write of a record that exists; what it is found by goes with it, its embedding stays."""
    return update(paths.record(record.id), record.model_dump() | index.model_dump(exclude={"embedding", "v"}))


def removing(record_id: str) -> Write:
    return delete(paths.record(record_id))
