"""Gathers what a commit stores and lays it down in a few bulk statements."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass, field
from typing import Any

from infra.local.firestore import changes, wire
from infra.local.firestore.fieldindex import Index, entry_keys
from infra.local.firestore.store import Collection


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
    next_row: int = 0
    inserted: list[tuple[Any, ...]] = field(default_factory=list)
    updated: list[tuple[Any, ...]] = field(default_factory=list)
    deleted: list[tuple[Any, ...]] = field(default_factory=list)
    entries_gone: list[tuple[int, bytes]] = field(default_factory=list)
    entries_new: list[tuple[int, bytes, int]] = field(default_factory=list)
    logged: list[tuple[Any, ...]] = field(default_factory=list)

    def add(self, name: str, document: Staged, indexes: list[Index]) -> None:
        """Have a changed document stored, indexed and logged."""
        old, new = document.old, document.new
        body = None if new is None else wire.serialize(new)
        if body is None:
            self.deleted.append((document.row,))
        elif document.row is None:
            document.row = self._new_row()
            self.inserted.append((document.row, document.collection.id, document.key, body))
        else:
            self.updated.append((body, document.row))
        for index in indexes:
            self._index(index, document)
        mask = None
        if old is not None and new is not None:
            mask = json.dumps(changes.changed_paths(old.fields, new.fields))
        self.logged.append((self.micros, name, document.old_body, body, mask))

    def flush(self) -> None:
        """Execute everything, inside the transaction that the connection is in."""
        for sql, rows in (
            ("DELETE FROM documents WHERE id = ?", self.deleted),
            ("UPDATE documents SET body = ? WHERE id = ?", self.updated),
            ("INSERT INTO documents (id, collection, key, body) VALUES (?, ?, ?, ?)", self.inserted),
            ("DELETE FROM entries WHERE idx = ? AND key = ?", self.entries_gone),
            ("INSERT INTO entries (idx, key, doc) VALUES (?, ?, ?)", self.entries_new),
            ("INSERT INTO changes (commit_time, name, old, new, mask) VALUES (?, ?, ?, ?, ?)", self.logged),
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
