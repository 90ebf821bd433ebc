"""Records with what lies around them: the items they were made of, what was said of those, and contradictions."""

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
    Verdict,
)
from shared.store import blackboard, contradictions
from shared.store.database import Database
from tests.support import memories

MOMENT = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)


def a_record(record_id: str, text: str = "I prefer green tea in the morning.", **fields: Any) -> Record:
    """A preference of this moment; `fields` are the record's own."""
    return memories.a_record(record_id, text, **{"type": RecordType.PREFERENCE, "at": MOMENT, **fields})


def remember(database: Database, *known: Record) -> None:
    """Store the records, each with the item it was made of and a critique of that."""
    memories.remember(database, *known)
    database.commit([blackboard.creating(item) for one in known for item in _items(one)], "test.remember")


def _items(record: Record) -> tuple[BlackboardItem, BlackboardItem]:
    item_id = record.source_blackboard_id
    candidate = Candidate(type=record.type, subject=record.subject, text=record.text)
    said = Critique(about=item_id, verdict=Verdict.SUPPORTS, reason="Nothing like it is known.")
    return (
        an_item(item_id, candidate.model_dump(mode="json"), parent_record_id=record.id),
        an_item(f"critique-{record.id}", said.model_dump(mode="json"), kind=ItemKind.CRITIQUE, about=item_id),
    )


def an_item(item_id: str, payload: dict[str, Any], **fields: Any) -> BlackboardItem:
    """A candidate that was committed at once; `fields` are the item's own."""
    given = {
        "kind": ItemKind.CANDIDATE_RECORD,
        "source_job_id": "job_gone",
        "status": ItemStatus.COMMITTED,
        "created_at": MOMENT,
        "decided_at": MOMENT,
    }
    return BlackboardItem(id=item_id, payload=payload, **{**given, **fields})


def dispute(database: Database, first: str, second: str) -> Contradiction:
    """An open contradiction of two records."""
    opened = contradictions.opened(first, second, "They cannot both be true.", MOMENT)
    database.commit([contradictions.writing(opened)], "test.dispute")
    return opened
