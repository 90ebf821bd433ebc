"""Records and what lies around them, put into a store as the committer would."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

from shared.contracts.memory import (
    BlackboardItem,
    Candidate,
    Contradiction,
    Critique,
    ItemKind,
    ItemStatus,
    Record,
    RecordType,
    SourceKind,
    SourceRef,
    Verdict,
)
from shared.memory.indexing import index_of
from shared.memory.keys import key_of
from shared.store import blackboard, contradictions, records
from shared.store.database import Database

MOMENT = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)


def a_record(record_id: str = "rec_1", text: str = "I prefer green tea in the morning.", **fields: Any) -> Record:
    """Of a note n1, made of the item item-{record_id}."""
    subject = fields.pop("subject", "me")
    return Record(
        id=record_id,
        type=fields.pop("type", RecordType.PREFERENCE),
        subject=subject,
        subject_key=key_of(subject),
        text=text,
        sources=(SourceRef(kind=SourceKind.NOTE, id="n1", end=12, quote=text, said_at=MOMENT, title="Breakfast"),),
        source_blackboard_id=f"item-{record_id}",
        created_at=fields.pop("created_at", MOMENT),
        updated_at=fields.pop("updated_at", MOMENT),
        **fields,
    )


def remember(database: Database, *known: Record) -> None:
    """Put the records, each with the item it was made of and a critique of that."""
    for one in known:
        candidate = Candidate(type=one.type, subject=one.subject, text=one.text)
        said = Critique(about=one.source_blackboard_id, verdict=Verdict.SUPPORTS, reason="Nothing like it is known.")
        items = (
            an_item(one.source_blackboard_id, candidate.model_dump(mode="json"), parent_record_id=one.id),
            an_item(
                f"critique-{one.id}",
                said.model_dump(mode="json"),
                kind=ItemKind.CRITIQUE,
                about=one.source_blackboard_id,
            ),
        )
        writes = [records.creating(one, index_of(one), None), *map(blackboard.creating, items)]
        database.commit(writes, "test.remember")


def an_item(item_id: str, payload: dict[str, Any], **fields: Any) -> BlackboardItem:
    """Committed a moment after it was put."""
    return BlackboardItem(
        id=item_id,
        kind=fields.pop("kind", ItemKind.CANDIDATE_RECORD),
        source_job_id=fields.pop("source_job_id", "job_gone"),
        payload=payload,
        status=fields.pop("status", ItemStatus.COMMITTED),
        created_at=MOMENT,
        decided_at=fields.pop("decided_at", MOMENT),
        **fields,
    )


def dispute(database: Database, first: str, second: str) -> Contradiction:
    """An open contradiction of two records."""
    opened = contradictions.opened(first, second, "They cannot both be true.", MOMENT)
    database.commit([contradictions.writing(opened)], "test.dispute")
    return opened
