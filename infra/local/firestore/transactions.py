"""Transactions: snapshot reads, a check of what was read before the commit, and a place in line for retries."""

from __future__ import annotations

import itertools
import sqlite3
import struct
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from datetime import datetime

from infra.local.clock import Clock
from infra.local.firestore import wire
from infra.local.firestore.contention import Contention, Results, Transaction, is_expired
from infra.local.firestore.execute import Executor
from infra.local.firestore.plan import Plan
from infra.local.firestore.refusals import aborted, invalid
from infra.local.firestore.store import Store, last_seq

KEPT = 1000
_ID = struct.Struct(">QQ")
_CONTENTION = "Too much contention on these documents. Please try again."
_INVALID = "The referenced transaction has expired or is no longer valid."


class Transactions:
    """Optimistic: reads see the newest state at which all before them still hold; a commit is refused when they do not.

    What a commit was refused for counts as contended for a while: a transaction that reads it then
    claims it first, and others wait, bounded, until that one ends. So a retry succeeds, however many
    want the same document, and nothing waits where nobody contends.
    """

    def __init__(self, store: Store, executor: Executor, clock: Clock) -> None:
        self._store, self._executor, self._clock = store, executor, clock
        self._known: OrderedDict[bytes, Transaction] = OrderedDict()
        self._contention = Contention(clock)
        self._order = itertools.count(1)
        self._lock = threading.Lock()

    def begin(self, *, read_only: bool, retry_of: bytes = b"", seq: int | None = None) -> Transaction:
        """A new transaction that sees the state after change `seq`, by default the present one.

        A retry has the age of the first attempt. Raises INVALID_ARGUMENT when that is not one that can be tried again.
        """
        now = self._clock.now()
        self._check_retried(retry_of)
        if seq is None:
            seq = last_seq(self._store.db.read())
        with self._lock:
            order = next(self._order)
            first = self._known.get(retry_of)
            rank = (first.rank[0] if first is not None else order, order)
            begun = Transaction(_ID.pack(self._store.boot, order), rank, read_only, seq, now, now)
            self._known[begun.id] = begun
            self._forget(now)
        return begun

    def _check_retried(self, transaction_id: bytes) -> None:
        """One that is forgotten, or of a process before this one, is told by the form of its id alone."""
        if not transaction_id:
            return
        if len(transaction_id) != _ID.size or _ID.unpack(transaction_id)[0] > self._store.boot:
            raise invalid(_INVALID)
        known = self._known.get(transaction_id)
        if known is not None and known.read_only:
            raise invalid("Cannot retry a read-only transaction.")

    def before_reading(self, transaction: Transaction, names: Iterable[str] = (), plan: Plan | None = None) -> None:
        """Claim what is contended of what is about to be read, and move on to the present state where that is sound.

        It is sound as long as everything read so far is as it was: a read under locks would see the same.
        """
        if transaction.read_only:
            return
        self._contention.claim(transaction, names, plan)
        with self._store.snapshot() as connection:
            newest = last_seq(connection)
            if transaction.seq != newest and self._stale_keys(connection, transaction) is None:
                transaction.seq = newest

    def get(self, transaction_id: bytes) -> Transaction:
        """The transaction under way of that id; counts as a use. Raises INVALID_ARGUMENT."""
        now = self._clock.now()
        with self._lock:
            found = self._known.get(transaction_id)
            if found is None or found.ended or is_expired(found, now):
                raise invalid(_INVALID)
            found.used = now
            return found

    def end(self, transaction: Transaction) -> None:
        """Let go of what it claimed. Idempotent."""
        with self._lock:
            transaction.ended = True
            transaction.queries.clear()
        self._contention.release(transaction)

    def rollback(self, transaction_id: bytes) -> None:
        """End the transaction; one that has ended already is left so. Raises INVALID_ARGUMENT when it never was."""
        found = self._known.get(transaction_id)
        if found is None:
            raise invalid(_INVALID)
        self.end(found)

    def wait_for_turn(self, names: set[str], transaction: Transaction | None) -> None:
        """Before a commit to `names`: let those that claim them finish, bounded; of two claimants the older first."""
        self._contention.wait_for_turn(names, transaction)

    def check(self, connection: sqlite3.Connection, transaction: Transaction) -> None:
        """Raises ABORTED when what the transaction read has changed since it began."""
        stale = self._stale_keys(connection, transaction)
        if stale is not None:
            self._contention.mark(stale)
            raise aborted(_CONTENTION)

    def _stale_keys(self, connection: sqlite3.Connection, transaction: Transaction) -> set[str] | None:
        """The documents, or the scope of the query, that are not as they were read; None when all are."""
        sql = "SELECT DISTINCT name FROM changes WHERE seq > ?"
        changed = {name for (name,) in connection.execute(sql, (transaction.seq,))}
        stale = changed & transaction.names
        collections = {name.rpartition("/")[0] for name in changed}
        for plan, results in transaction.queries:
            if any(map(plan.covers, collections)) and self.results(connection, plan) != results:
                stale.add(plan.scope_name)
        return stale or None

    def results(self, connection: sqlite3.Connection, plan: Plan) -> Results:
        """What a query gives now, as the transaction remembers it."""
        return tuple(hash(row.body) for row in self._executor.run(connection, plan))

    def oldest_seq(self) -> int | None:
        """The oldest state that a transaction under way may still read."""
        now = self._clock.now()
        return min((each.seq for each in self._active(now)), default=None)

    def close(self) -> None:
        """Stop all waiting."""
        self._contention.close()

    def _active(self, now: datetime) -> Iterator[Transaction]:
        return (t for t in tuple(self._known.values()) if not t.ended and not is_expired(t, now))

    def _forget(self, now: datetime) -> None:
        while len(self._known) > KEPT:
            oldest = next(iter(self._known.values()))
            if not oldest.ended and not is_expired(oldest, now):
                return
            del self._known[oldest.id]


def record_query(transaction: Transaction, plan: Plan, bodies: list[bytes]) -> None:
    """Remember what a query gave, for the check before the commit."""
    if not transaction.read_only:
        transaction.queries.append((plan, tuple(map(hash, bodies))))
        transaction.names.update(map(wire.document_name, bodies))
