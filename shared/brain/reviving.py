"""What becomes of records when one of them goes or comes back: what it had ended holds again, or no longer.

A record that is forgotten or retracted ends nothing any more. What it had ended holds until what ended itself; else it
holds again, unless another record tells of a later state.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from shared.brain.outcomes import ended_by, revived
from shared.brain.statements import of_record
from shared.brain.supersession import REASONS, begins, by_rule, later, objection
from shared.contracts.memory import Contradiction, Record, RecordStatus, Verdict
from shared.memory.indexing import rewriting
from shared.store.contradictions import opened
from shared.store.workspace import WorkspaceStore
from shared.store.writes import Write

_ENDED, _STATED = 50, 50


def released(store: WorkspaceStore, record: Record, now: datetime) -> list[Write]:
    """The writes of what the record had ended, for the commit in which it goes."""
    ended = store.records.superseded_by(record.id, _ENDED)
    heir = store.records.find(record.superseded_by) if record.superseded_by is not None else None
    if heir is not None:
        until = record.valid_to or begins(of_record(heir))
        inherited = [ended_by(revived(one, now), heir.id, until, now) for one in ended]
        return _writes([*inherited, _with_ended(heir, ended, now)] if ended else [])
    return _writes(_settled(store, [revived(one, now) for one in ended], record.id, now))


def returned(store: WorkspaceStore, record: Record, now: datetime) -> list[Write]:
    """The writes for the commit in which a record that was retracted comes back, the record's own with them."""
    named = store.records.several(record.supersedes)
    free = [one for one in named.values() if one.superseded_by in (None, record.superseded_by)]
    able = [one for one in free if not objection(of_record(record), of_record(one))]
    ended = [ended_by(revived(one, now), record.id, begins(of_record(record)), now) for one in able]
    if record.superseded_by is not None:
        return _writes([record, *ended])
    return _writes([*_settled(store, [record], record.id, now), *ended])


def contradicted(store: WorkspaceStore, record: Record, now: datetime) -> list[Contradiction]:
    """What stands against a record that comes back, as far as it was said while nobody believed the record."""
    known = {one for each in store.contradictions.of_record(record.id) for one in each.record_ids}
    against = [one for one in _stated(store, record) if one.id not in known | {record.id}]
    conflicts = [one for one in against if by_rule(of_record(record), of_record(one)) is Verdict.CONFLICT]
    return [opened(one.id, record.id, REASONS[Verdict.CONFLICT], now) for one in conflicts]


def _settled(store: WorkspaceStore, free: list[Record], without: str, now: datetime) -> list[Record]:
    """The records, each ended by the next of those that tell of a later state, if there is one."""
    after = {one.id: one for one in free}
    others = {one.id: one for each in free for one in _stated(store, each) if one.id != without and one.id not in after}
    for one in free:
        if one.status is not RecordStatus.CURRENT:
            continue
        known = [each for each in (*others.values(), *free) if each.id != one.id and _ends(each, one)]
        if known:
            next_one = min(known, key=lambda each: begins(of_record(each)))
            after[one.id] = ended_by(one, next_one.id, begins(of_record(next_one)), now)
            after[next_one.id] = _with_ended(after.get(next_one.id, next_one), [one], now)
    return list(after.values())


def _stated(store: WorkspaceStore, record: Record) -> Iterable[Record]:
    if not record.property_key:
        return ()
    found = store.records.stated(record.subject_key, record.property_key, _STATED)
    return (one for one in found if one.status is RecordStatus.CURRENT)


def _ends(one: Record, other: Record) -> bool:
    new, old = of_record(one), of_record(other)
    holds = one.status is RecordStatus.CURRENT
    return holds and by_rule(new, old) is Verdict.SUPERSEDE and later(new, old) is True


def _with_ended(record: Record, ended: Iterable[Record], now: datetime) -> Record:
    names = tuple(dict.fromkeys((*record.supersedes, *(one.id for one in ended))))
    return record.model_copy(update={"supersedes": names, "updated_at": now})


def _writes(changed: Iterable[Record]) -> list[Write]:
    return [rewriting(one) for one in changed]
