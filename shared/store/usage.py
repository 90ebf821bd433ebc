"""usage/{yyyy-mm}/shards, leases/spending and the workspace's own document: what was used, and what may still be.

Counting is one commit without a read: a marker that can be created once, and additions to a shard. Whoever needs the
sums reads all shards and the holds as of one moment, so that nothing is seen twice or not at all while it moves from
held to used.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from shared.clock import Clock
from shared.contracts.usage import (
    USAGE_SHARDS,
    Hold,
    Spending,
    UsageKind,
    UsageShard,
    UsageSums,
    UsageTotals,
)
from shared.contracts.workspaces import Workspace
from shared.errors import Transient
from shared.store import paths
from shared.store.database import Database
from shared.store.documents import parsed
from shared.store.effects import Effects
from shared.store.errors import Contention, Malformed, Uncertain
from shared.store.writes import Snapshot, Write, add, create, update

log = logging.getLogger(__name__)

TRIES = 12
TRY_SECONDS = 25.0
"""No further try after this: whoever called is told while it can still answer."""
MICROS = 1_000_000


@dataclass(frozen=True)
class Book:
    """A month's sums and the holds of this moment; holds that have run out are left out."""

    by_kind: Mapping[UsageKind, UsageTotals]
    holds: Mapping[str, Hold]
    read_time: datetime

    @cached_property
    def totals(self) -> UsageTotals:
        """Of all kinds together."""
        names = UsageTotals.model_fields
        sums = {name: sum(getattr(one, name) for one in self.by_kind.values()) for name in names}
        return UsageTotals(**sums)


@dataclass(frozen=True)
class Entry:
    """A piece of work that has ended, to be counted once. `key` names the event that told of it."""

    key: str
    month: str
    kind: UsageKind
    sums: UsageSums
    work_id: str = ""
    """Whose hold is given up for it, where there may be one."""


DecideHolds = Callable[[Book], Mapping[str, Hold] | None]


class UsageBooks:
    def __init__(self, database: Database, effects: Effects, clock: Clock) -> None:
        self._database, self._effects, self._clock = database, effects, clock

    def workspace(self) -> Workspace:
        """The workspace's own document, empty where there is none. Raises Malformed."""
        found = self._database.get("")
        return parsed(Workspace, found.fields or {}, "the workspace's document")

    def book(self, month: str) -> Book:
        """The month's sums and the holds, as of one moment. Raises Malformed, Transient."""
        return self._read(month)[0]

    def count(self, entry: Entry) -> bool:
        """Add the entry to its month, and give up its hold, unless that was done before; whether it was done now.

        Raises Transient when it did not get through.
        """
        key, shard = paths.effect(entry.key), counting(entry.key, entry.month, entry.kind, entry.sums)
        begun = self._clock.now()
        for attempt in range(TRIES):
            if (self._clock.now() - begun).total_seconds() > TRY_SECONDS:
                break
            if attempt:
                if self._database.get(key).fields is not None:
                    return False
                self._database.pause(min(attempt, 6))
            writes = (self._effects.marker(entry.key, {}), shard, *self._given_up(entry.work_id))
            try:
                self._database.commit(writes, "usage.count")
            except (Contention, Uncertain):
                continue
            return True
        raise Transient("The usage could not be counted just now: try again.", retry_after_seconds=2.0)

    def change_holds(self, month: str, decide: DecideHolds, *, point: str) -> None:
        """Commit the holds that `decide` makes of a month's book; None writes nothing.

        It is asked again whenever another writer was faster, or when nobody knows whether the commit was applied; what
        it raises ends the change. Raises Transient when it did not get through.
        """
        begun = self._clock.now()
        for attempt in range(TRIES):
            if (self._clock.now() - begun).total_seconds() > TRY_SECONDS:
                break
            if attempt:
                self._database.pause(min(attempt, 6))
            book, spending = self._read(month)
            holds = decide(book)
            if holds is None:
                return
            try:
                self._database.commit((_holding(spending, holds),), point)
            except (Contention, Uncertain):
                continue
            return
        raise Transient("The quotas could not be written just now: try again.", retry_after_seconds=2.0)

    def _read(self, month: str) -> tuple[Book, Snapshot]:
        shards = [paths.usage_shard(month, n) for n in range(USAGE_SHARDS)]
        spending, *found = self._database.get_all([paths.spending(), *shards])
        sums = [parsed(UsageShard, shard.fields or {}, shard.path) for shard in found]
        by_kind = {
            kind: _totals([shard.kinds[kind.value] for shard in sums if kind.value in shard.kinds])
            for kind in UsageKind
        }
        return Book(by_kind, _living(spending), spending.read_time), spending

    def _given_up(self, work_id: str) -> tuple[Write, ...]:
        if not work_id:
            return ()
        spending = self._database.get(paths.spending())
        holds = _living(spending)
        if work_id not in holds:
            return ()
        return (_holding(spending, {name: hold for name, hold in holds.items() if name != work_id}),)


def counting(key: str, month: str, kind: UsageKind, sums: UsageSums) -> Write:
    """What is added, to a shard that the key decides: whoever does it again adds to the same one.

    For a commit that happens once by itself; UsageBooks.count is for those that do not.
    """
    number = hashlib.sha256(key.encode()).digest()[0] % USAGE_SHARDS
    amounts = sums.model_dump(exclude={"v"})
    return add(paths.usage_shard(month, number), {"kinds": {kind.value: amounts}})


def _living(spending: Snapshot) -> dict[str, Hold]:
    """The holds that have not run out. A document that is none holds nothing: it must not keep usage from its count."""
    try:
        holds = parsed(Spending, spending.fields or {}, spending.path).holds
    except Malformed as error:
        log.error("all holds are given up: %s", error.message)
        return {}
    return {name: hold for name, hold in holds.items() if hold.expires_at > spending.read_time}


def _holding(spending: Snapshot, holds: Mapping[str, Hold]) -> Write:
    """The write that replaces the holds, and fails if anyone wrote them since they were read."""
    fields = Spending(holds=holds).model_dump()
    if spending.fields is None:
        return create(spending.path, fields)
    return update(spending.path, fields, spending.update_time)


def _totals(sums: list[UsageSums]) -> UsageTotals:
    micros = sum(one.usd_micros for one in sums)
    names = ("count", "input_tokens", "output_tokens", "searches")
    return UsageTotals(**{name: sum(getattr(one, name) for one in sums) for name in names}, usd=micros / MICROS)
