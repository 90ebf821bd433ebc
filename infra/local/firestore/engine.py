"""The parts of the Firestore stand-in put together, and the one way to read: a consistent view."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infra.local.clock import Clock
from infra.local.firestore import wire
from infra.local.firestore.changes import ChangeLog
from infra.local.firestore.commit import Committed, Committer
from infra.local.firestore.composite import IndexRules
from infra.local.firestore.contention import Transaction
from infra.local.firestore.execute import Executor
from infra.local.firestore.fieldindex import FieldIndexes
from infra.local.firestore.plan import Plan
from infra.local.firestore.refusals import failed_precondition, invalid
from infra.local.firestore.store import Store, check_reach, last_seq, seq_at
from infra.local.firestore.transactions import Transactions
from infra.local.firestore.writes import target_of
from infra.local.meter import Meter

REACH_MICROS = 7 * 86_400 * 1_000_000
"""No read goes farther back, even where the log of changes does."""


@dataclass(frozen=True)
class View:
    """One consistent state: `seq` is None for the newest; `begun` is a transaction that the request began."""

    connection: sqlite3.Connection
    seq: int | None = None
    transaction: Transaction | None = None
    begun: bytes = b""
    read_micros: int | None = None


class Engine:
    """What the gRPC methods work on."""

    def __init__(self, path: Path, clock: Clock, meter: Meter, indexes_file: Path) -> None:
        self.clock, self.meter = clock, meter
        self.store = Store(path)
        self.log = ChangeLog(self.store.db)
        indexes = FieldIndexes(self.store)
        self.executor = Executor(self.store, indexes)
        self.committer = Committer(self.store, indexes, self.log, clock, meter)
        self.transactions = Transactions(self.store, self.executor, clock)
        self.rules = IndexRules(indexes_file)
        self.log.hold(self.transactions.oldest_seq)

    def close(self) -> None:
        self.transactions.close()
        self.store.close()

    def begin(self, options: Any) -> Transaction:
        """A transaction as a request's TransactionOptions ask for it."""
        if options.WhichOneof("mode") != "read_only":
            return self.transactions.begin(read_only=False, retry_of=options.read_write.retry_transaction)
        if not options.read_only.HasField("read_time"):
            return self.transactions.begin(read_only=True)
        seq = seq_at(self.store.db.read(), self._read_time(options.read_only.read_time))
        return self.transactions.begin(read_only=True, seq=seq)

    @contextmanager
    def view(self, request: Any, names: Iterable[str] = (), plan: Plan | None = None) -> Iterator[View]:
        """The state a request's consistency selector asks for, unchanging throughout the block.

        `names` or `plan` say what will be read.
        """
        selector = request.WhichOneof("consistency_selector")
        transaction, begun, micros = None, b"", None
        if selector == "transaction":
            transaction = self.transactions.get(request.transaction)
        elif selector == "new_transaction":
            transaction = self.begin(request.new_transaction)
            begun = transaction.id
        elif selector == "read_time":
            micros = self._read_time(request.read_time)
        with nullcontext() if transaction is None else transaction.reading:
            if transaction is not None:
                self.transactions.before_reading(transaction, names, plan)
            with self.store.snapshot() as connection:
                seq = self._seq(connection, transaction, micros)
                yield View(connection, seq, transaction, begun, micros)

    def _seq(self, connection: sqlite3.Connection, transaction: Transaction | None, micros: int | None) -> int | None:
        """The state to read, None for the newest."""
        if transaction is not None:
            seq = transaction.seq
            check_reach(connection, seq)
        elif micros is not None:
            seq = seq_at(connection, micros)
        else:
            return None
        return None if seq == last_seq(connection) else seq

    def read_timestamp(self, view: View) -> Any:
        """The moment a view shows, as a Timestamp."""
        return wire.timestamp_of(self.committer.read_micros() if view.read_micros is None else view.read_micros)

    def commit(self, database: str, writes: Any, transaction_id: bytes = b"") -> Committed:
        """Commit, inside a transaction when one is named, which then ends unless the writes are malformed."""
        self.committer.check(database, writes)
        return self.commit_checked(writes, transaction_id)

    def commit_checked(self, writes: Any, transaction_id: bytes = b"") -> Committed:
        """As `commit`, for writes that are known to be well formed."""
        targets = {target_of(write) for write in writes}
        if not transaction_id:
            self.transactions.wait_for_turn(targets, None)
            return self.committer.commit(writes)
        transaction = self.transactions.get(transaction_id)
        if transaction.read_only and writes:
            raise invalid("Cannot modify entities in a read-only transaction.")
        try:
            self.transactions.wait_for_turn(targets, transaction)
            check = None if transaction.read_only else transaction
            return self.committer.commit(writes, None if check is None else lambda c: self.transactions.check(c, check))
        finally:
            self.transactions.end(transaction)

    def _read_time(self, timestamp: Any) -> int:
        if timestamp.nanos % 1000:
            raise invalid("A read time cannot have more than microseconds precision.")
        micros = wire.timestamp_micros(timestamp)
        if micros < 0:
            raise invalid("A read time cannot be before 1970.")
        if micros > self.committer.read_micros():
            raise invalid("Cannot read at a time in the future.")
        if micros < self.committer.read_micros() - REACH_MICROS:
            raise failed_precondition("The requested snapshot version is too old.")
        return micros
