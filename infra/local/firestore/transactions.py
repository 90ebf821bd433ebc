"""Transactions: snapshot reads, a check of what was read before the commit, and a place in line for retries."""

from __future__ import annotations

import itertools
import sqlite3
import struct
import threading
from collections import OrderedDict
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from infra.local.clock import Clock
from infra.local.firestore import wire
from infra.local.firestore.execute import Executor
from infra.local.firestore.plan import Plan
from infra.local.firestore.refusals import aborted, invalid
from infra.local.firestore.store import Store, last_seq

IDLE = timedelta(seconds=60)
TOTAL = timedelta(seconds=270)
LINE_WAIT_SECONDS = 5.0
KEPT = 1000
_NO_RANK = 1 << 62
_CONTENTION = "Too much contention on these documents. Please try again."
_INVALID = "The referenced transaction has expired or is no longer valid."
Results = tuple[int, ...]
"""A fingerprint of each result."""


@dataclass
class Transaction:
    """One transaction under way, or ended (kept for a while so that a rollback of it is no error)."""

    id: bytes
    rank: int
    read_only: bool
    seq: int
    began: datetime
    used: datetime
    names: set[str] = field(default_factory=set)
    queries: list[tuple[Plan, Results]] = field(default_factory=list)
    ended: bool = False
    reserved: frozenset[str] = frozenset()


class Transactions:
    """Optimistic: reads see the state at the transaction's beginning, and a commit is refused when they no longer hold.

    A transaction that retries a refused one reserves the documents that one read: other commits to
    them wait, bounded, until it ends. So a retry succeeds, however many want the same document.
    """

    def __init__(self, store: Store, executor: Executor, clock: Clock) -> None:
        self._store, self._executor, self._clock = store, executor, clock
        self._known: OrderedDict[bytes, Transaction] = OrderedDict()
        self._reserving: dict[bytes, Transaction] = {}
        self._order = itertools.count(1)
        self._changed = threading.Condition()
        self._closed = False

    def begin(self, *, read_only: bool, retry_of: bytes = b"", seq: int | None = None) -> Transaction:
        """A new transaction that sees the state after change `seq`, by default the present one.

        A retry waits, bounded, until nobody else has reserved what the refused transaction read.
        """
        with self._changed:
            first = None if read_only else self._known.get(retry_of)
            wanted = frozenset(first.names) if first is not None else frozenset()
            if wanted:
                self._changed.wait_for(lambda: self._closed or not self._holder(wanted, _NO_RANK), LINE_WAIT_SECONDS)
            order = next(self._order)
            rank = first.rank if first is not None else order
            now = self._clock.now()
            if seq is None:
                seq = last_seq(self._store.db.read())
            begun = Transaction(struct.pack(">QQ", self._store.boot, order), rank, read_only, seq, now, now)
            self._known[begun.id] = begun
            if wanted:
                begun.reserved = wanted
                begun.names |= wanted
                self._reserving[begun.id] = begun
            self._forget(now)
        return begun

    def get(self, transaction_id: bytes) -> Transaction:
        """The transaction under way of that id; counts as a use. Raises INVALID_ARGUMENT."""
        now = self._clock.now()
        with self._changed:
            found = self._known.get(transaction_id)
            if found is None or found.ended or self._is_expired(found, now):
                raise invalid(_INVALID)
            found.used = now
            return found

    def end(self, transaction: Transaction) -> None:
        """Let go of what it reserved. Idempotent."""
        with self._changed:
            transaction.ended = True
            transaction.queries.clear()
            if self._reserving.pop(transaction.id, None) is not None:
                self._changed.notify_all()

    def rollback(self, transaction_id: bytes) -> None:
        """End the transaction; one that has ended already is left so. Raises INVALID_ARGUMENT when it never was."""
        found = self._known.get(transaction_id)
        if found is None:
            raise invalid(_INVALID)
        self.end(found)

    def wait_for_turn(self, names: set[str], transaction: Transaction | None) -> None:
        """Before a commit to `names`: let older retries that reserved them finish, bounded."""
        rank = transaction.rank if transaction is not None else _NO_RANK
        if self._reserving:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or not self._holder(names, rank), LINE_WAIT_SECONDS)

    def check(self, connection: sqlite3.Connection, transaction: Transaction) -> None:
        """Raises ABORTED when what the transaction read has changed since it began."""
        sql = "SELECT DISTINCT name FROM changes WHERE seq > ?"
        changed = {name for (name,) in connection.execute(sql, (transaction.seq,))}
        if changed & transaction.names:
            raise aborted(_CONTENTION)
        collections = {name.rpartition("/")[0] for name in changed}
        for plan, results in transaction.queries:
            if any(map(plan.covers, collections)) and self.results(connection, plan) != results:
                raise aborted(_CONTENTION)

    def results(self, connection: sqlite3.Connection, plan: Plan) -> Results:
        """What a query gives now, as the transaction remembers it."""
        return tuple(hash(row.body) for row in self._executor.run(connection, plan))

    def oldest_seq(self) -> int | None:
        """The oldest state that a transaction under way may still read."""
        now = self._clock.now()
        return min((each.seq for each in self._active(now)), default=None)

    def close(self) -> None:
        """Stop all waiting."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _active(self, now: datetime) -> Iterator[Transaction]:
        return (t for t in tuple(self._known.values()) if not t.ended and not self._is_expired(t, now))

    def _holder(self, names: AbstractSet[str], before: int) -> Transaction | None:
        now = self._clock.now()
        for expired in [t for t in self._reserving.values() if self._is_expired(t, now)]:
            del self._reserving[expired.id]
        return next((t for t in self._reserving.values() if t.rank < before and t.reserved & names), None)

    def _forget(self, now: datetime) -> None:
        while len(self._known) > KEPT:
            oldest = next(iter(self._known.values()))
            if not oldest.ended and not self._is_expired(oldest, now):
                return
            del self._known[oldest.id]

    @staticmethod
    def _is_expired(transaction: Transaction, now: datetime) -> bool:
        return now - transaction.used > IDLE or now - transaction.began > TOTAL


def record_query(transaction: Transaction, plan: Plan, bodies: list[bytes]) -> None:
    """Remember what a query gave, for the check before the commit."""
    if not transaction.read_only:
        transaction.queries.append((plan, tuple(map(hash, bodies))))
        transaction.names.update(map(wire.document_name, bodies))
