"""Index tables over tuples of fields, built at the first query that wants them and kept up to date by every commit.

An entry's key is the encoded fields strung together (inverted where the order descends), then the
document's path: one contiguous, ordered range of keys answers one query.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from typing import Any, NamedTuple

from infra.local.firestore import fieldpath, wire
from infra.local.firestore.encoding import encode, invert
from infra.local.firestore.fieldpath import FieldPath
from infra.local.firestore.store import Collection, Store

ASCENDING, DESCENDING, CONTAINS = "asc", "desc", "contains"


class Component(NamedTuple):
    """One field of an index and how it is laid down; at most one of a shape CONTAINS."""

    path: FieldPath
    kind: str


Shape = tuple[Component, ...]


class Scope(NamedTuple):
    """The documents an index covers: one collection (by name), or every collection of a group in a database."""

    name: str
    group: bool


class Index(NamedTuple):
    """A built index."""

    id: int
    shape: Shape
    name_descending: bool


def entry_keys(index: Index, path_key: bytes, fields: Any) -> set[bytes]:
    """The keys a document has in an index: none when it lacks a field, one per element for CONTAINS."""
    tail = invert(path_key) if index.name_descending else path_key
    heads = [b""]
    for path, kind in index.shape:
        value = fieldpath.get(fields, path)
        if value is None:
            return set()
        if kind == CONTAINS:
            if value.WhichOneof("value_type") != "array_value":
                return set()
            heads = [head + element for head in heads for element in {encode(v) for v in value.array_value.values}]
        else:
            part = encode(value)
            part = invert(part) if kind == DESCENDING else part
            heads = [head + part for head in heads]
    return {head + tail for head in heads}


def scopes_of(collection: Collection) -> tuple[Scope, Scope]:
    """The scopes a document of this collection belongs to."""
    return Scope(collection.name, False), Scope(f"{collection.database}/{collection.group}", True)


class FieldIndexes:
    """All built indexes, by scope."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._by_scope: dict[Scope, list[Index]] = defaultdict(list)
        for row_id, scope, shape in store.db.read().execute("SELECT id, scope, shape FROM indexes"):
            self._by_scope[Scope(*json.loads(scope))].append(_loaded(row_id, shape))

    def find(self, scope: Scope, shape: Shape, name_descending: bool) -> Index | None:
        """The index of exactly that shape, if it is built."""
        for index in self._by_scope.get(scope, ()):
            if index.shape == shape and index.name_descending == name_descending:
                return index
        return None

    def build(self, scope: Scope, shape: Shape, name_descending: bool) -> Index:
        """Lay down the index over the documents there are; from then on commits keep it."""
        with self._store.db.write() as connection:
            found = self.find(scope, shape, name_descending)
            if found is not None:
                return found
            text = json.dumps([[[list(path), kind] for path, kind in shape], name_descending])
            row_id = connection.execute(
                "INSERT INTO indexes (scope, shape) VALUES (?, ?)", (json.dumps(scope), text)
            ).lastrowid
            index = Index(row_id or 0, shape, name_descending)
            for collection in self._store.collections():
                if scope in scopes_of(collection):
                    _fill(connection, index, collection)
            self._by_scope[scope].append(index)
            return index

    def wanted(self, collection: Collection) -> list[Index]:
        """The indexes a document of this collection must be kept in."""
        return [index for scope in scopes_of(collection) for index in self._by_scope.get(scope, ())]


def _fill(connection: sqlite3.Connection, index: Index, collection: Collection) -> None:
    rows = connection.execute("SELECT id, key, body FROM documents WHERE collection = ?", (collection.id,))
    entries = []
    for doc, path_key, body in rows:
        fields = wire.parse_document(body).fields
        entries += [(index.id, key, doc) for key in entry_keys(index, path_key, fields)]
    entries.sort()
    connection.executemany("INSERT INTO entries (idx, key, doc) VALUES (?, ?, ?)", entries)


def _loaded(row_id: int, text: str) -> Index:
    components, name_descending = json.loads(text)
    return Index(row_id, tuple(Component(tuple(path), kind) for path, kind in components), name_descending)
