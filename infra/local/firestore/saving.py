"""Gathers what a commit stores and lays it down in a few bulk statements."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field
from typing import Any

from infra.local.firestore import wire
from infra.local.firestore.entries import Index, entry_keys
from infra.local.firestore.store import Collection
from infra.local.firestore.upkeep import DELETE_ENTRY, INSERT_ENTRY, leave_behind


@dataclass(slots=True)
class Staged:
    """One document on its way through a commit."""

    collection: Collection
    key: bytes
    row: int | None
    old_body: bytes | None
    old: Any | None
    new: Any | None
    changed: bool = False


@dataclass(slots=True)
class Saving:
    """The rows of one commit, by statement."""

    connection: sqlite3.Connection
    micros: int
    indexes_later: bool = False
    """Leave the indexes behind; a query that wants one brings it up to date from the log."""
    next_row: int = 0
    inserted: list[tuple[Any, ...]] = field(default_factory=list)
    updated: list[tuple[Any, ...]] = field(default_factory=list)
    deleted: list[tuple[Any, ...]] = field(default_factory=list)
    entries_gone: list[tuple[int, bytes]] = field(default_factory=list)
    entries_new: list[tuple[int, bytes, int]] = field(default_factory=list)
    logged: list[tuple[Any, ...]] = field(default_factory=list)
    left_behind: set[int] = field(default_factory=set)

    def add(self, name: str, document: Staged, indexes: list[Index]) -> None:
        """Have a changed document stored, indexed and logged."""
        body = None if document.new is None else wire.serialize(document.new)
        if body is None:
            self.deleted.append((document.row,))
        elif document.row is None:
            document.row = self._new_row()
            self.inserted.append((document.row, document.collection.id, document.key, body))
        else:
            self.updated.append((body, document.row))
        if self.indexes_later:
            self.left_behind.update(index.id for index in indexes)
        else:
            for index in indexes:
                self._index(index, document)
        self.logged.append((self.micros, name, document.old_body, body))

    def flush(self) -> None:
        """Execute everything, inside the transaction that the connection is in."""
        if self.left_behind:
            leave_behind(self.connection, self.left_behind)
        for sql, rows in (
            ("DELETE FROM documents WHERE id = ?", self.deleted),
            ("UPDATE documents SET body = ? WHERE id = ?", self.updated),
            ("INSERT INTO documents (id, collection, key, body) VALUES (?, ?, ?, ?)", self.inserted),
            (DELETE_ENTRY, self.entries_gone),
            (INSERT_ENTRY, self.entries_new),
            ("INSERT INTO changes (commit_time, name, old, new) VALUES (?, ?, ?, ?)", self.logged),
        ):
            if rows:
                self.connection.executemany(sql, rows)

    def _new_row(self) -> int:
        if not self.next_row:
            self.next_row = self.connection.execute("SELECT coalesce(max(id), 0) FROM documents").fetchone()[0]
        self.next_row += 1
        return self.next_row

    def _index(self, index: Index, document: Staged) -> None:
        old, new = document.old, document.new
        before = entry_keys(index, document.key, old.fields) if old is not None else set()
        after = entry_keys(index, document.key, new.fields) if new is not None else set()
        self.entries_gone += [(index.id, key) for key in before - after]
        self.entries_new += [(index.id, key, document.row or 0) for key in after - before]
