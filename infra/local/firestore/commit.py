"""Committing writes: all of them or none, in one SQLite transaction with the change log and the indexes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from infra.local.clock import Clock
from infra.local.firestore import changes, names, upkeep, wire
from infra.local.firestore.fieldindex import FieldIndexes
from infra.local.firestore.refusals import invalid
from infra.local.firestore.saving import Saving, Staged
from infra.local.firestore.store import Collection, Store
from infra.local.firestore.writes import apply_write, check_write, target_of
from infra.local.meter import Meter

LARGE = 20
"""A commit of so many documents leaves the indexes behind: whoever queries next brings them up to date."""
Check = Callable[[sqlite3.Connection], None]


@dataclass(frozen=True)
class Committed:
    """When a commit took effect (microseconds), and a raw WriteResult for each write."""

    micros: int
    results: list[Any]


class Committer:
    """Serializes all commits; commit times only grow, also across restarts."""

    def __init__(self, store: Store, indexes: FieldIndexes, log: changes.ChangeLog, clock: Clock, meter: Meter) -> None:
        self._store, self._indexes, self._log, self._clock, self._meter = store, indexes, log, clock, meter
        row = store.db.read().execute("SELECT commit_time FROM changes ORDER BY seq DESC LIMIT 1").fetchone()
        self._last_micros: int = row[0] if row else 0

    def read_micros(self) -> int:
        """A moment, in microseconds, not before any commit so far."""
        return max(wire.micros_of(self._clock.now()), self._last_micros)

    def commit(self, writes: Sequence[Any], check: Check | None = None) -> Committed:
        """Apply checked `writes` in order; `check` runs first, inside the same transaction, and refuses by raising."""
        targets = [self._target(write) for write in writes]
        request_micros = wire.micros_of(self._clock.now())
        staged: dict[str, Staged] = {}
        with self._store.db.write() as connection:
            if check is not None:
                check(connection)
            micros = max(self.read_micros(), self._last_micros + 1)
            results = [
                self._apply(connection, staged, target, write, (request_micros, micros))
                for target, write in zip(targets, writes, strict=True)
            ]
            self._save(Saving(connection, micros, indexes_later=len(staged) >= LARGE), staged)
            self._last_micros = micros
        self._log.poke()
        deletes = sum(write.WhichOneof("operation") == "delete" for write in writes)
        self._count("document_deletes", deletes)
        self._count("document_writes", len(writes) - deletes)
        return Committed(micros, results)

    def _save(self, saving: Saving, staged: dict[str, Staged]) -> None:
        behind = upkeep.behind(saving.connection)
        for name, document in staged.items():
            if document.changed:
                wanted = self._indexes.wanted(document.collection)
                saving.add(name, document, [index for index in wanted if index.id not in behind])
        saving.flush()

    def _count(self, unit: str, amount: int) -> None:
        if amount:
            self._meter.add("firestore", unit, amount)

    def check(self, database: str, writes: Sequence[Any]) -> None:
        """Refuse writes that no state of the database could take. Raises INVALID_ARGUMENT."""
        for write in writes:
            name = target_of(write)
            names.split_document(name)
            if not name.startswith(database + "/documents/"):
                raise invalid(f'The document "{name}" is not in the database "{database}" of the request.')
            check_write(write)

    def _target(self, write: Any) -> tuple[str, Collection, bytes]:
        name = target_of(write)
        collection_name, doc_id = names.split_document(name)
        collection = self._store.ensure_collection(collection_name)
        return name, collection, names.document_key(collection.prefix, doc_id)

    def _apply(
        self,
        connection: sqlite3.Connection,
        staged: dict[str, Staged],
        target: tuple[str, Collection, bytes],
        write: Any,
        times: tuple[int, int],
    ) -> Any:
        name, collection, key = target
        document = staged.get(name)
        if document is None:
            document = staged[name] = _load(connection, collection, key)
        before = document.new
        request_micros, commit_micros = times
        after, transform_results = apply_write(write, before, request_micros)
        result = wire.WriteResult(transform_results=transform_results)
        if after is None:
            document.new, document.changed = None, document.old is not None
            return result
        if before is None or not _same(before, after):
            commit_time = wire.timestamp_of(commit_micros)
            after.update_time.CopyFrom(commit_time)
            if before is None:
                after.create_time.CopyFrom(commit_time)
            document.new, document.changed = after, True
        result.update_time.CopyFrom(after.update_time)
        return result


def _load(connection: sqlite3.Connection, collection: Collection, key: bytes) -> Staged:
    row = connection.execute(
        "SELECT id, body FROM documents WHERE collection = ? AND key = ?", (collection.id, key)
    ).fetchone()
    if row is None:
        return Staged(collection, key, None, None, None, None)
    current = wire.parse_document(row[1])
    return Staged(collection, key, row[0], row[1], current, current)


def _same(before: Any, after: Any) -> bool:
    """Whether two documents with the same name and times have the same fields."""
    return wire.serialize(before) == wire.serialize(after)
