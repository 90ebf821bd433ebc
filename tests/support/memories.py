"""Records as the committer leaves them, without the way there."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timezone
from typing import Any

from shared.contracts.memory import Record, RecordType, SourceKind, SourceRef
from shared.memory.indexing import index_of
from shared.memory.keys import key_of
from shared.store.database import Database
from shared.store.records import creating

SAID = datetime(2026, 11, 1, 9, tzinfo=timezone.utc)


def a_record(record_id: str, text: str, subject: str = "me", **fields: Any) -> Record:
    """A current fact from a note of the same number; `fields` are the record's own."""
    at = fields.pop("at", SAID)
    source = SourceRef(kind=SourceKind.NOTE, id=f"note-{record_id}", quote=text, said_at=at, title=f"Note {record_id}")
    given = {
        "type": RecordType.FACT,
        "subject_key": key_of(subject),
        "property_key": key_of(fields.get("property", "")),
        "sources": (source,),
        "source_blackboard_id": f"item-{record_id}",
        "created_at": at,
        "updated_at": at,
    }
    return Record(id=record_id, subject=subject, text=text, **{**given, **fields})


def remember(database: Database, *records: Record, vectors: Sequence[Sequence[float] | None] = ()) -> None:
    """Store them with what they are found by."""
    given = [*vectors, *([None] * (len(records) - len(vectors)))]
    for record, vector in zip(records, given, strict=True):
        database.commit([creating(record, index_of(record), vector)], "test")
