"""What a person says of their records: it comes before all that agents find, and each word of it can be taken back.

All of it is committed on the committer's stream, so it and what agents commit never run into each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from shared.brain.critics import COMMITTED
from shared.brain.forgetting import Forgetting
from shared.brain.outcomes import STREAM_FIELDS
from shared.brain.reviving import contradicted, released, returned
from shared.clock import Clock
from shared.contracts.events import EventType
from shared.contracts.memory import Contradiction, ContradictionStatus, Record, RecordStatus
from shared.errors import Conflict, InputError
from shared.memory.indexing import rewriting
from shared.store import contradictions
from shared.store.streams import Append, EventDraft
from shared.store.workspace import WorkspaceStore
from shared.store.writes import Snapshot, Write

_POINT = "memory.choose"


@dataclass(frozen=True)
class Choices:
    """Of one person. Every choice that stands already changes nothing; all raise NotFound and Transient."""

    store: WorkspaceStore
    clock: Clock
    by: str

    def pin(self, record_id: str, pinned: bool) -> Record:
        """Recall it first, or no longer so."""
        return self._change(record_id, lambda _: {"pinned": pinned})

    def exclude(self, record_id: str, excluded: bool) -> Record:
        """Never recall it, or do again."""
        return self._change(record_id, lambda _: {"excluded": excluded})

    def retract(self, record_id: str) -> Record:
        """It is not true: it stays to be read, is not recalled, and what says the same so far says it no more.

        What it had ended holds again; open contradictions of it are settled for the other.
        """
        return self._change(record_id, lambda _: {"status": RecordStatus.RETRACTED}, self._retracting)

    def restore(self, record_id: str) -> Record:
        """Take a retraction back: it is current again, or what it was before. Contradictions settled by it open."""
        return self._change(record_id, lambda one: _before_retraction(one, self.clock.now()), self._restoring)

    def forget(self, record_id: str) -> None:
        """Take it away for good, with all that was made of it; this alone cannot be undone. Raises NotFound.

        Its source stays, and whoever reads that anew may say it anew: `retract` is for what shall not come back.
        """
        self.store.records.get(record_id)
        Forgetting(self.store, self.clock.now()).record(record_id)

    def settle(self, contradiction_id: str, keep: str | None) -> Contradiction:
        """Say which of two records holds: the other is retracted. None: both do, it is no contradiction after all.

        Raises InputError for a record that is not part of it, Conflict where it was settled otherwise.
        """

        def decide(found: Contradiction) -> tuple[Contradiction, Sequence[Write]] | None:
            if keep is not None and keep not in found.record_ids:
                raise InputError("keep: name one of the two records.", field="keep")
            if found.status is ContradictionStatus.SETTLED:
                if found.kept == keep:
                    return None
                raise Conflict("It is settled otherwise: open it again first.", reason="settled")
            gone = [one for one in found.record_ids if keep is not None and one != keep]
            writes = [write for one in gone for write in self._retracted(one)]
            return contradictions.settled(found, keep, self.clock.now()), writes

        return self._change_contradiction(contradiction_id, decide)

    def reopen(self, contradiction_id: str) -> Contradiction:
        """Take back how it was settled: the record that was retracted by it is as it was."""

        def decide(found: Contradiction) -> tuple[Contradiction, Sequence[Write]] | None:
            if found.status is ContradictionStatus.OPEN:
                return None
            gone = [one for one in found.record_ids if found.kept is not None and one != found.kept]
            writes = [write for one in gone for write in self._restored(one)]
            return contradictions.reopened(found), writes

        return self._change_contradiction(contradiction_id, decide)

    def _change(
        self,
        record_id: str,
        change: Callable[[Record], dict[str, Any]],
        writes: Callable[[Record], Sequence[Write]] | None = None,
    ) -> Record:
        def decide(_current: Snapshot) -> Append | None:
            record = self.store.records.get(record_id)
            fields = {name: value for name, value in change(record).items() if getattr(record, name) != value}
            if not fields:
                return None
            after = record.model_copy(update=fields | {"updated_at": self.clock.now()})
            event = EventDraft(EventType.MEMORY_CHANGED, {"record_id": record_id, "by": self.by, **fields})
            made = (rewriting(after),) if writes is None else writes(after)
            return Append(STREAM_FIELDS, (event,), tuple(made))

        self.store.streams.append(COMMITTED, decide, point=_POINT, create=True)
        return self.store.records.get(record_id)

    def _change_contradiction(
        self,
        contradiction_id: str,
        change: Callable[[Contradiction], tuple[Contradiction, Sequence[Write]] | None],
    ) -> Contradiction:
        def decide(_current: Snapshot) -> Append | None:
            decided = change(self.store.contradictions.get(contradiction_id))
            if decided is None:
                return None
            after, writes = decided
            data = {"contradiction_id": after.id, "by": self.by, "status": after.status, "kept": after.kept}
            event = EventDraft(EventType.MEMORY_SETTLED, data)
            return Append(STREAM_FIELDS, (event,), (contradictions.writing(after), *writes))

        self.store.streams.append(COMMITTED, decide, point=_POINT, create=True)
        return self.store.contradictions.get(contradiction_id)

    def _retracting(self, after: Record) -> Sequence[Write]:
        """The record as retracted, what it had ended, and the contradictions that are settled by it."""
        found = self.store.contradictions.of_record(after.id)
        open_ones = [one for one in found if one.status is ContradictionStatus.OPEN]
        settled = [contradictions.settled(one, _other(one, after.id), self.clock.now()) for one in open_ones]
        return [*self._retraction(after), *map(contradictions.writing, settled)]

    def _restoring(self, after: Record) -> Sequence[Write]:
        """The record as it was, what it ends again, and the contradictions that open again."""
        found = self.store.contradictions.of_record(after.id)
        opened = [contradictions.reopened(one) for one in found if one.kept == _other(one, after.id)]
        return [*self._return(after), *map(contradictions.writing, opened)]

    def _return(self, after: Record) -> Sequence[Write]:
        now = self.clock.now()
        current = after.status is RecordStatus.CURRENT
        against = contradicted(self.store, after, now) if current else []
        return [*returned(self.store, after, now), *map(contradictions.writing, against)]

    def _retracted(self, record_id: str) -> Sequence[Write]:
        record = self.store.records.find(record_id)
        if record is None or record.status is RecordStatus.RETRACTED:
            return ()
        change = {"status": RecordStatus.RETRACTED, "updated_at": self.clock.now()}
        return self._retraction(record.model_copy(update=change))

    def _retraction(self, after: Record) -> Sequence[Write]:
        return [rewriting(after), *released(self.store, after, self.clock.now())]

    def _restored(self, record_id: str) -> Sequence[Write]:
        record, now = self.store.records.find(record_id), self.clock.now()
        if record is None or record.status is not RecordStatus.RETRACTED:
            return ()
        after = record.model_copy(update=_before_retraction(record, now) | {"updated_at": now})
        return self._return(after)


def _before_retraction(record: Record, now: datetime) -> dict[str, Any]:
    if record.status is not RecordStatus.RETRACTED:
        return {}
    over = record.superseded_by is not None and (record.valid_to is None or record.valid_to <= now)
    return {"status": RecordStatus.SUPERSEDED if over else RecordStatus.CURRENT}


def _other(contradiction: Contradiction, record_id: str) -> str:
    return next(one for one in contradiction.record_ids if one != record_id)
