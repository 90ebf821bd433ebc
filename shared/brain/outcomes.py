"""What a decision on a candidate writes: the item, the record, the records it touches, and the event. No reads here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from shared.brain.provenance import joined
from shared.brain.statements import Statement, of_record, property_key
from shared.brain.supersession import begins, later
from shared.contracts.events import EventType
from shared.contracts.memory import (
    BlackboardItem,
    Candidate,
    ItemStatus,
    Record,
    RecordStatus,
    SourceRef,
)
from shared.ids import derived
from shared.memory.indexing import index_of, rewriting
from shared.memory.keys import key_of
from shared.store import contradictions, records
from shared.store.blackboard import deciding, without_words
from shared.store.streams import Append, EventDraft
from shared.store.writes import Write

_CERTAIN = 0.99
STREAM_FIELDS = {"v": 1, "id": "committer"}
"""What the owner of the stream holds beside its seq."""


@dataclass(frozen=True)
class Decided:
    """A candidate that is being decided on."""

    item: BlackboardItem
    candidate: Candidate
    statement: Statement
    said: Sequence[BlackboardItem]
    """What critics said of it, and still counts."""
    now: datetime

    def item_writes(
        self, status: ItemStatus, reason: str, record_id: str | None, followed: Iterable[str]
    ) -> list[Write]:
        """The item with its end, and with it what was said of it: followed, or overruled."""
        heeded = set(followed)
        writes = [deciding(self.item, status, reason, self.now, record_id)]
        for one in self.said:
            kept = one.payload.get("target") in heeded or not one.payload.get("target")
            end = ItemStatus.COMMITTED if kept else ItemStatus.REJECTED
            writes.append(deciding(one, end, "" if kept else reason, self.now, record_id))
        return writes

    def event(self, kind: str, record_id: str | None = None, **more: Any) -> EventDraft:
        named = {"record_id": record_id} if record_id is not None else {}
        return EventDraft(kind, {"item_id": self.item.id, **named, "type": self.candidate.type.value, **more})


@dataclass(frozen=True)
class Touched:
    """Records that a new one ends or contradicts, each with the reason for it."""

    ended: Sequence[tuple[Record, str]] = ()
    against: Sequence[tuple[Record, str]] = ()

    @property
    def record_ids(self) -> frozenset[str]:
        return frozenset(record.id for record, _ in (*self.ended, *self.against))


def unreadable(item: BlackboardItem, now: datetime) -> Append:
    """An item that is no candidate, whatever has put it there: it is refused, and keeps nobody waiting."""
    event = EventDraft(EventType.MEMORY_REJECTED, {"item_id": item.id, "by": "admission"})
    return _append(event, also=[deciding(item, ItemStatus.REJECTED, "It cannot be read.", now, None)])


def orphaned(item: BlackboardItem, said: Sequence[BlackboardItem], now: datetime) -> Append:
    """A candidate whose source was forgotten while it waited: refused, and its words go as well."""
    event = EventDraft(EventType.MEMORY_REJECTED, {"item_id": item.id, "by": "forgetting"})
    return _append(event, also=without_words((item, *said), item.source_keys, now))


def anew(decided: Decided) -> Append | None:
    """The candidate stays pending; what was said of it counts no more, since its critics did not see all there is."""
    reason = "Records were written meanwhile: it is judged anew."
    writes = [deciding(one, ItemStatus.SUPERSEDED, reason, decided.now, None) for one in decided.said]
    return Append(STREAM_FIELDS, (), tuple(writes)) if writes else None


def refused(decided: Decided, by: str, reason: str) -> Append:
    writes = decided.item_writes(ItemStatus.REJECTED, reason, None, ())
    return _append(decided.event(EventType.MEMORY_REJECTED, by=by), also=writes)


def merged(decided: Decided, record: Record, reason: str, followed: Iterable[str]) -> Append:
    """The record keeps what it says, and has the item's sources more."""
    sources = joined(record.sources, _own(decided.item.evidence_refs))
    sure = 1 - (1 - record.confidence) * (1 - decided.item.confidence)
    more = len(sources) > len(record.sources)
    after = record.model_copy(
        update={
            "sources": sources,
            "merged_blackboard_ids": tuple(dict.fromkeys((*record.merged_blackboard_ids, decided.item.id))),
            "confidence": max(record.confidence, min(_CERTAIN, sure)) if more else record.confidence,
            "valid_from": record.valid_from or decided.candidate.valid_from,
            "updated_at": decided.now,
        }
    )
    writes = decided.item_writes(ItemStatus.MERGED, reason, record.id, followed)
    writes.append(rewriting(after))
    return _append(decided.event(EventType.MEMORY_MERGED, record.id), also=writes)


def stored(decided: Decided, touched: Touched, vector: Sequence[float] | None, followed: Iterable[str]) -> Append:
    """A new record; of what cannot hold beside it the earlier ends where the later begins, and is kept with its dates.

    Where neither is earlier, both stay, and the contradiction is there for the person to settle.
    """
    new, statement = new_record(decided), decided.statement
    order = [(one, reason, later(statement, of_record(one))) for one, reason in touched.ended]
    earlier = [one for one, _, after in order if after is True]
    after_it = [one for one, _, after in order if after is False]
    against = [*touched.against, *((one, reason) for one, reason, after in order if after is None)]
    writes = [rewriting(ended_by(one, new.id, begins(statement), decided.now)) for one in earlier]
    if earlier:
        ended = tuple(one.id for one in earlier)
        new = new.model_copy(update={"supersedes": ended, "valid_from": begins(statement)})
    if after_it:
        heir = min(after_it, key=lambda one: begins(of_record(one)))
        new = ended_by(new, heir.id, begins(of_record(heir)), decided.now)
        change = {"supersedes": (*heir.supersedes, new.id), "updated_at": decided.now}
        writes.append(rewriting(heir.model_copy(update=change)))
    writes.append(records.creating(new, index_of(new), vector))
    opened = [contradictions.opened(one.id, new.id, reason, decided.now) for one, reason in against]
    writes += [contradictions.writing(one) for one in opened]
    status = ItemStatus.SUPERSEDED if after_it else ItemStatus.COMMITTED
    item = decided.item_writes(status, _reason(earlier, after_it, against), new.id, followed)
    ends = {"supersedes": list(new.supersedes)} | ({"superseded_by": new.superseded_by} if new.superseded_by else {})
    events = [decided.event(EventType.MEMORY_STORED, new.id, **ends)]
    if opened:
        named = {"contradiction_ids": [one.id for one in opened], "against": [one.id for one, _ in against]}
        events.append(decided.event(EventType.MEMORY_CONTRADICTED, new.id, **named))
    return _append(*events, also=(*item, *writes))


def new_record(decided: Decided) -> Record:
    """The record of a candidate; its id derives from the item, so that it is made once."""
    item, candidate = decided.item, decided.candidate
    return Record(
        id=derived("record", item.id),
        type=candidate.type,
        subject=candidate.subject,
        subject_key=key_of(candidate.subject),
        property=candidate.property,
        property_key=property_key(candidate.property),
        object=candidate.object,
        text=candidate.text,
        valid_from=candidate.valid_from,
        valid_to=candidate.valid_to,
        confidence=item.confidence,
        sources=joined(_own(item.evidence_refs)),
        source_blackboard_id=item.id,
        created_at=decided.now,
        updated_at=decided.now,
    )


def ended_by(record: Record, later_id: str, moment: datetime, now: datetime) -> Record:
    """The record as it holds until another, and no longer once that has begun.

    What it said of its end itself is kept for when the other is forgotten.
    """
    ends = moment if record.valid_to is None else min(record.valid_to, moment)
    ended = moment <= now and record.status is RecordStatus.CURRENT
    return record.model_copy(
        update={
            "status": RecordStatus.SUPERSEDED if ended else record.status,
            "superseded_by": later_id,
            "valid_to": ends,
            "stated_valid_to": record.valid_to,
            "updated_at": now,
        }
    )


def revived(record: Record, now: datetime) -> Record:
    """The record as it was before another ended it; what a person has retracted stays so."""
    if record.superseded_by is None:
        return record
    return record.model_copy(
        update={
            "status": RecordStatus.CURRENT if record.status is RecordStatus.SUPERSEDED else record.status,
            "superseded_by": None,
            "valid_to": record.stated_valid_to,
            "stated_valid_to": None,
            "updated_at": now,
        }
    )


def _own(refs: Iterable[SourceRef]) -> tuple[SourceRef, ...]:
    return tuple(one for one in refs if one.said_by == "person")


def _reason(earlier: Sequence[Record], after_it: Sequence[Record], against: Sequence[tuple[Record, str]]) -> str:
    parts = []
    if earlier:
        parts.append("It ends what held before.")
    if after_it:
        parts.append("It was said of an earlier time: what holds since is remembered already.")
    if against:
        parts.append("It contradicts what is remembered: the person is asked which holds.")
    return " ".join(parts) or "It is new."


def _append(*events: EventDraft, also: Iterable[Write]) -> Append:
    return Append(STREAM_FIELDS, events, tuple(also))
