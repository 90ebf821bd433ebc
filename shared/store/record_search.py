"""Finding records in a bounded number of reads: by terms, by vector, by what they are about; those of now, or of a day.

The fields that searches go by lie in the record's own document, so what a query finds is of one state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from shared.contracts.memory import Record, RecordStatus
from shared.store import paths
from shared.store.database import Database, Filter, Nearest, Query
from shared.store.documents import well_formed
from shared.store.note_index import Candidate
from shared.store.writes import Snapshot

_RANKED = ("length", "frequencies")
_NEWEST = (("updated_at", "DESCENDING"), ("__name__", "DESCENDING"))
_KEPT: Filter = ("excluded", "==", False)
_NOW: Filter = ("status", "==", RecordStatus.CURRENT.value)
_FIELDS = tuple(Record.model_fields)


@dataclass(frozen=True)
class Held:
    """Which records count: those that are current, or those that held at a moment; excluded ones never do."""

    as_of: datetime | None = None

    @property
    def filters(self) -> tuple[Filter, ...]:
        """As much of it as a query can say; `allows` says the rest."""
        return (_KEPT,) if self.as_of is not None else (_KEPT, _NOW)

    def allows(self, record: Record) -> bool:
        if record.excluded or record.status is RecordStatus.RETRACTED:
            return False
        if self.as_of is None:
            return record.status is RecordStatus.CURRENT
        began = record.valid_from is None or record.valid_from <= self.as_of
        return began and (record.valid_to is None or self.as_of < record.valid_to)


CURRENT = Held()


class RecordSearch:
    """Reads alone: the committer writes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def with_terms(self, terms: Sequence[str], held: Held, limit: int) -> list[Candidate]:
        """Records with any of the terms (30 at most), those written last first."""
        asked: Filter = ("terms", "array_contains_any", list(terms))
        return self._candidates(Query(limit, (*held.filters, asked), _NEWEST, fields=_RANKED))

    def near(self, vector: Sequence[float], held: Held, threshold: float, limit: int) -> list[Candidate]:
        """Records whose embedding is nearest, and no further than `threshold`, the nearest first."""
        nearest = Nearest("embedding", tuple(vector), threshold)
        return self._candidates(Query(limit, held.filters, fields=(*_RANKED, "distance"), nearest=nearest))

    def several(self, record_ids: Sequence[str]) -> dict[str, Record]:
        """Those of them that are there, whatever their status, by id; a malformed one is left out."""
        found = self._database.get_all([paths.record(one) for one in record_ids], _FIELDS) if record_ids else []
        return {one.id: one for one in well_formed(Record, (each for each in found if each.fields is not None))}

    def pinned(self, held: Held, limit: int) -> list[Candidate]:
        """Those that a person wants first, the last written first."""
        return self._candidates(Query(limit, (*held.filters, ("pinned", "==", True)), _NEWEST, fields=_RANKED))

    def about(self, subject_key: str, held: Held, limit: int) -> list[Record]:
        """Those of a subject, the last written first."""
        asked: Filter = ("subject_key", "==", subject_key)
        return self._records(held, Query(limit, (*held.filters, asked), _NEWEST, fields=_FIELDS))

    def newest(self, held: Held, limit: int) -> list[Record]:
        """The last written first."""
        return self._records(held, Query(limit, held.filters, _NEWEST, fields=_FIELDS))

    def _records(self, held: Held, query: Query) -> list[Record]:
        return [one for one in well_formed(Record, self._database.query("records", query)) if held.allows(one)]

    def _candidates(self, query: Query) -> list[Candidate]:
        return [_candidate(one) for one in self._database.query("records", query)]


def _candidate(found: Snapshot) -> Candidate:
    fields: Any = found.fields or {}
    return Candidate(
        id=found.id,
        length=int(fields.get("length") or 0),
        frequencies=str(fields.get("frequencies") or ""),
        tags=(),
        distance=float(fields.get("distance") or 0.0),
    )
