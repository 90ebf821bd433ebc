"""Deciding on a candidate: one commit on the committer's stream, which everything that changes records goes through.

So of two candidates that were judged at the same instant the second sees, in its own commit, that records were written
since its critics looked. What is too near to one of those is not committed: it is judged anew.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from shared.brain.critics import COMMITTED
from shared.brain.duplicates import differs, repeats, same
from shared.brain.neighbours import neighbours
from shared.brain.outcomes import Decided, Touched, anew, merged, orphaned, refused, stored, unreadable
from shared.brain.sources import gone
from shared.brain.statements import Statement, candidate_of, of_candidate, of_record
from shared.brain.supersession import REASONS, by_rule, objection
from shared.brain.weighing import Weighed, weighed
from shared.contracts.events import EventType
from shared.contracts.memory import Critique, ItemKind, ItemStatus, Record, RecordStatus, Verdict
from shared.store.stream_reading import seq_of
from shared.store.streams import Append
from shared.store.workspace import WorkspaceStore
from shared.store.writes import Snapshot

ROUNDS = 4
"""So often a candidate is judged anew, because of what was written meanwhile; then the rules decide at once."""
_SINCE = 100
"""Where more events came since the critics looked, nobody knows what they missed."""
_SAID = 60
_NEW_RECORDS = frozenset([EventType.MEMORY_STORED])
_REVIVING = frozenset([EventType.MEMORY_FORGOTTEN, EventType.MEMORY_CHANGED, EventType.MEMORY_SETTLED])
"""After these, records may be current again that no critic has seen so."""


@dataclass
class Committing:
    """One job's. `deferred` are the candidates that must be judged anew."""

    store: WorkspaceStore
    now: datetime
    siblings: Collection[str]
    """The candidates that were judged together: their critics saw each other's."""
    round: int
    vectors: Mapping[str, Sequence[float]]
    """By item."""
    deferred: list[str] = field(default_factory=list)

    def commit(self, item_id: str) -> None:
        """Decide on the candidate, unless that was done; safe to repeat. Raises Transient."""

        def decide(current: Snapshot) -> Append | None:
            return self._decide(item_id, seq_of(current.fields or {}))

        self.store.streams.append(COMMITTED, decide, point="memory.commit", create=True)

    def _decide(self, item_id: str, seq: int) -> Append | None:
        self.deferred = [one for one in self.deferred if one != item_id]
        item = self.store.blackboard.find(item_id)
        if item is None or item.kind is not ItemKind.CANDIDATE_RECORD or item.status is not ItemStatus.PENDING:
            return None
        candidate = candidate_of(item)
        if candidate is None:
            return unreadable(item, self.now)
        said = [one for one in self.store.blackboard.about([item.id], _SAID) if one.status is ItemStatus.PENDING]
        if gone(self.store, item.evidence_refs):
            return orphaned(item, said, self.now)
        statement = of_candidate(candidate, item.evidence_refs, item.created_at)
        decided = Decided(item, candidate, statement, said, self.now)
        found = weighed(item, candidate, said)
        if found.refusal:
            return refused(decided, found.by, found.refusal)
        return self._admitted(decided, found, seq)

    def _admitted(self, decided: Decided, found: Weighed, seq: int) -> Append | None:
        targets = self._targets(found.targets)
        for critique in found.merge:
            record = targets.get(critique.target or "")
            if record is not None and _may_merge(decided, record):
                return merged(decided, record, critique.reason, (critique.target or "",))
        touched = _touched(decided.statement, found, targets)
        rivals = self._rivals(decided, found.judged_seq, seq)
        if rivals is None or (rivals and self.round < ROUNDS):
            self.deferred.append(decided.item.id)
            return anew(decided)
        twin = next((one for one in rivals if same(decided.statement, of_record(one))), None)
        if twin is not None:
            return merged(decided, twin, "It is remembered already, since a moment ago.", (twin.id,))
        followed = [name for name, record in targets.items() if record.id in touched.record_ids]
        touched = _with_rivals(decided.statement, touched, rivals)
        return stored(decided, touched, self.vectors.get(decided.item.id), followed)

    def _targets(self, names: Sequence[str]) -> dict[str, Record]:
        """The records that critics name, those too that items they name have become."""
        items = self.store.blackboard.several(names)
        became = {name: item.parent_record_id for name, item in items.items() if item.parent_record_id is not None}
        records = self.store.records.several([*(name for name in names if name not in items), *became.values()])
        return {name: records[at] for name in names if (at := became.get(name, name)) in records}

    def _rivals(self, decided: Decided, judged: int | None, seq: int) -> list[Record] | None:
        """Records written since the critics looked that are too near to the candidate; None where nobody looked."""
        if judged is not None and judged >= seq:
            return []
        last_round = self.round >= ROUNDS
        events = self.store.streams.read(COMMITTED, judged or 0, _SINCE + 1) if judged is not None else []
        if judged is None or len(events) > _SINCE:
            if not last_round:
                return None
            found = neighbours(self.store, decided.statement)
        else:
            names = [str(one.data.get("record_id")) for one in events if one.type in _NEW_RECORDS]
            found = list(self.store.records.several(list(dict.fromkeys(names))).values())
            if any(one.type in _REVIVING for one in events):
                found += neighbours(self.store, decided.statement)
        fresh = {one.id: one for one in found if one.source_blackboard_id not in self.siblings}.values()
        return [one for one in fresh if one.status is RecordStatus.CURRENT and _near(decided.statement, of_record(one))]


def _near(new: Statement, old: Statement) -> bool:
    of_one = bool(new.property_key) and (new.subject_key, new.property_key) == (old.subject_key, old.property_key)
    return of_one or same(new, old)


def _may_merge(decided: Decided, record: Record) -> bool:
    """Never into what says something else, whoever proposes it."""
    return repeats(decided.item, record) or not differs(decided.statement, of_record(record))


def _touched(new: Statement, found: Weighed, targets: Mapping[str, Record]) -> Touched:
    """The records that critics would have ended or contradicted, as far as the code can follow them."""
    against = _standing(new, found.conflict, targets)
    named = {record.id for record, _ in against}
    ended = [pair for pair in _standing(new, found.supersede, targets) if pair[0].id not in named]
    return Touched(ended, against)


def _standing(new: Statement, critiques: Sequence[Critique], targets: Mapping[str, Record]) -> list[tuple[Record, str]]:
    """Each record that is current and that the statement can end or contradict at all, once, with the reason."""
    named = ((targets.get(one.target or ""), one.reason) for one in critiques)
    found = {record.id: (record, reason) for record, reason in named if record is not None}
    return [
        (record, reason)
        for record, reason in found.values()
        if record.status is RecordStatus.CURRENT and not objection(new, of_record(record))
    ]


def _with_rivals(new: Statement, touched: Touched, rivals: Sequence[Record]) -> Touched:
    """What the rules make of records that no critic saw."""
    ended, against = list(touched.ended), list(touched.against)
    for record in rivals:
        verdict = by_rule(new, of_record(record)) if record.id not in touched.record_ids else None
        if verdict is Verdict.SUPERSEDE:
            ended.append((record, REASONS[verdict]))
        elif verdict is Verdict.CONFLICT:
            against.append((record, REASONS[verdict]))
    return Touched(ended, against)
