"""Running a Plan: by a range of an index table, or by looking at every document of a small or past collection."""

from __future__ import annotations

import heapq
import itertools
import sqlite3
from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import NamedTuple

from infra.local.firestore import names, wire
from infra.local.firestore.access import Access, accesses_of
from infra.local.firestore.encoding import invert
from infra.local.firestore.entries import Index
from infra.local.firestore.fieldindex import FieldIndexes, Scope
from infra.local.firestore.plan import KeyOf, Plan
from infra.local.firestore.store import Collection, Store

SMALL = 100
"""A scope of fewer documents is read whole rather than indexed."""


class Row(NamedTuple):
    """One result: where it stands among the results, and the serialized document."""

    sort_key: bytes
    body: bytes


class Executor:
    """Answers plans from the store, building index tables as they come to be wanted."""

    def __init__(self, store: Store, indexes: FieldIndexes) -> None:
        self._store, self._indexes = store, indexes

    def prepare(self, plan: Plan) -> None:
        """Build what the plan will use; to be called outside of any snapshot."""
        if not self._is_large(plan):
            return
        scope = Scope(plan.scope_name, plan.all_descendants)
        for access in accesses_of(plan):
            if access.needs_index:
                self._indexes.make_ready(scope, access.shape, access.name_descending)

    def run(self, connection: sqlite3.Connection, plan: Plan, seq: int | None = None) -> list[Row]:
        """The results, in order, offset and limit applied.

        `seq` asks for the state after that change; None for what `connection` sees now.
        """
        rows = None if seq is not None else self._by_index(connection, plan)
        if rows is None:
            rows = self._by_scan(connection, plan, seq)
        stop = None if plan.limit is None else plan.offset + plan.limit
        return list(itertools.islice(rows, plan.offset, stop))

    def count(self, connection: sqlite3.Connection, plan: Plan, seq: int | None = None) -> int:
        """How many results there are; of one range of keys without a look at any document."""
        counted = None if seq is not None else self._counted(connection, plan)
        return len(self.run(connection, plan, seq)) if counted is None else counted

    def _counted(self, connection: sqlite3.Connection, plan: Plan) -> int | None:
        accesses = accesses_of(plan)
        if len(accesses) != 1 or accesses[0].needs_filter:
            return None
        access = accesses[0]
        found: Index | Collection | None
        if access.needs_index:
            found, keys, (low, high) = self._index(connection, plan, access), "entries WHERE idx", _bounds(access)
        else:
            found, keys = self._store.collection(plan.scope_name), "documents WHERE collection"
            low, high = _name_bounds(access)
        if found is None:
            return None
        sql = f"SELECT count(*) FROM (SELECT 1 FROM {keys} = ? AND key >= ? AND key < ? LIMIT ?)"
        counted: int = connection.execute(sql, (found.id, low, high, _row_limit(plan, access))).fetchone()[0]
        return max(0, counted - plan.offset)

    def _index(self, connection: sqlite3.Connection, plan: Plan, access: Access) -> Index | None:
        """The index of an access, if it shows the state this connection sees: built before it, and not left behind."""
        scope = Scope(plan.scope_name, plan.all_descendants)
        index = self._indexes.find(scope, access.shape, access.name_descending)
        return index if index is not None and _is_visible(connection, index) else None

    def _covered(self, plan: Plan) -> list[Collection]:
        if not plan.all_descendants:
            found = self._store.collection(plan.scope_name)
            return [] if found is None else [found]
        return [collection for collection in self._store.collections() if plan.covers(collection.name)]

    def _is_large(self, plan: Plan) -> bool:
        connection, left = self._store.db.read(), SMALL
        for collection in self._covered(plan):
            sql = "SELECT count(*) FROM (SELECT 1 FROM documents WHERE collection = ? LIMIT ?)"
            left -= connection.execute(sql, (collection.id, left)).fetchone()[0]
            if left <= 0:
                return True
        return False

    def _by_scan(self, connection: sqlite3.Connection, plan: Plan, seq: int | None) -> Iterable[Row]:
        rows = []
        for path_key, body in self._candidates(connection, plan, seq):
            sort_key = plan.sort_key(wire.parse_document(body).fields, path_key)
            if sort_key is not None:
                rows.append(Row(sort_key, body))
        rows.sort(key=itemgetter(0))
        return rows

    def _candidates(self, connection: sqlite3.Connection, plan: Plan, seq: int | None) -> Iterator[tuple[bytes, bytes]]:
        past = {} if seq is None else _past(connection, plan, seq)
        for collection in self._covered(plan):
            sql = "SELECT key, body FROM documents WHERE collection = ?"
            for key, body in connection.execute(sql, (collection.id,)):
                if key not in past:
                    yield key, body
        for key, old in past.items():
            if old is not None:
                yield key, old

    def _by_index(self, connection: sqlite3.Connection, plan: Plan) -> Iterable[Row] | None:
        streams = []
        for access in accesses_of(plan):
            if access.needs_index:
                index = self._index(connection, plan, access)
                if index is None:
                    return None
                rows = _entries(connection, index, access, _row_limit(plan, access))
            else:
                rows = self._by_name(connection, plan, access)
            streams.append(_filtered(plan, access, rows) if access.needs_filter else rows)
        if len(streams) == 1:
            return streams[0]
        merged = heapq.merge(*streams, key=itemgetter(0))
        return (next(same) for _, same in itertools.groupby(merged, key=itemgetter(0)))

    def _by_name(self, connection: sqlite3.Connection, plan: Plan, access: Access) -> Iterator[Row]:
        collection = self._store.collection(plan.scope_name)
        if collection is None:
            return iter(())
        direction = "DESC" if access.name_descending else "ASC"
        low, high = _name_bounds(access)
        cursor = connection.execute(
            "SELECT key, body FROM documents WHERE collection = ? AND key >= ? AND key < ?"
            f" ORDER BY key {direction} LIMIT ?",
            (collection.id, low, high, _row_limit(plan, access)),
        )
        if access.name_descending:
            return (Row(invert(key), body) for key, body in cursor)
        return itertools.starmap(Row, cursor)


def _is_visible(connection: sqlite3.Connection, index: Index) -> bool:
    sql = "SELECT 1 FROM indexes WHERE id = :id AND NOT EXISTS (SELECT 1 FROM behind WHERE idx = :id)"
    return connection.execute(sql, {"id": index.id}).fetchone() is not None


def _bounds(access: Access) -> tuple[bytes, bytes]:
    return access.low.bound, access.high.bound


def _name_bounds(access: Access) -> tuple[bytes, bytes]:
    """The bounds as the keys of documents are, which always ascend."""
    if access.name_descending:
        return access.high.inverted().bound, access.low.inverted().bound
    return _bounds(access)


def _row_limit(plan: Plan, access: Access) -> int:
    if plan.limit is None or access.needs_filter:
        return -1
    return plan.offset + plan.limit


def _entries(connection: sqlite3.Connection, index: Index, access: Access, limit: int) -> Iterator[Row]:
    cut = len(access.prefix)
    cursor = connection.execute(
        "SELECT e.key, d.body FROM entries e JOIN documents d ON d.id = e.doc"
        " WHERE e.idx = ? AND e.key >= ? AND e.key < ? ORDER BY e.key LIMIT ?",
        (index.id, *_bounds(access), limit),
    )
    return (Row(key[cut:], body) for key, body in cursor)


def _filtered(plan: Plan, access: Access, rows: Iterable[Row]) -> Iterator[Row]:
    below = plan.parent.name + "/"
    for row in rows:
        document = wire.parse_document(row.body)
        if not document.name.startswith(below):
            continue
        key_of = KeyOf(document.fields, names.parse(document.name).key)
        present = all(key_of.field(path) is not None for path in plan.present)
        if present and access.conjunction.matches(key_of):
            yield row


def _past(connection: sqlite3.Connection, plan: Plan, seq: int) -> dict[bytes, bytes | None]:
    """What the documents changed since `seq` were then, by their path keys."""
    past: dict[bytes, bytes | None] = {}
    for name, old in connection.execute("SELECT name, old FROM changes WHERE seq > ? ORDER BY seq", (seq,)):
        collection_name, doc_id = names.split_document(name)
        if plan.covers(collection_name):
            past.setdefault(names.parse(name).key, old)
    return past
