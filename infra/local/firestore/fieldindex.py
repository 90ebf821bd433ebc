"""Index tables over tuples of fields, built at the first query that wants them.

A small commit keeps them up to date; a large one leaves them behind, for the next query to bring up to date.
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import NamedTuple

from infra.local.firestore import upkeep
from infra.local.firestore.entries import Component, Index, Shape
from infra.local.firestore.store import Collection, Store


class Scope(NamedTuple):
    """The documents an index covers: one collection (by name), or every collection of a group in a database."""

    name: str
    group: bool


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

    def make_ready(self, scope: Scope, shape: Shape, name_descending: bool) -> None:
        """Build the index, or bring it up to date if it was left behind; to be called outside of any snapshot."""
        index = self.find(scope, shape, name_descending)
        if index is None:
            self._build(scope, shape, name_descending)
        elif upkeep.is_behind(self._store.db.read(), index):
            with self._store.db.write() as connection:
                upkeep.catch_up(connection, index, self._covered(scope))

    def _build(self, scope: Scope, shape: Shape, name_descending: bool) -> None:
        with self._store.db.write() as connection:
            if self.find(scope, shape, name_descending) is not None:
                return
            text = json.dumps([[[list(path), kind] for path, kind in shape], name_descending])
            row_id = connection.execute(
                "INSERT INTO indexes (scope, shape) VALUES (?, ?)", (json.dumps(scope), text)
            ).lastrowid
            index = Index(row_id or 0, shape, name_descending)
            upkeep.fill(connection, index, self._covered(scope))
            self._by_scope[scope].append(index)

    def wanted(self, collection: Collection) -> list[Index]:
        """The indexes a document of this collection belongs in."""
        return [index for scope in scopes_of(collection) for index in self._by_scope.get(scope, ())]

    def _covered(self, scope: Scope) -> list[Collection]:
        return [collection for collection in self._store.collections() if scope in scopes_of(collection)]


def _loaded(row_id: int, text: str) -> Index:
    components, name_descending = json.loads(text)
    return Index(row_id, tuple(Component(tuple(path), kind) for path, kind in components), name_descending)
