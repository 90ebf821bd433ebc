"""The tables, the known collections, and reading documents as they are or as they were."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path as FilePath
from typing import NamedTuple

from infra.local.database import Database
from infra.local.firestore import names
from infra.local.firestore.refusals import failed_precondition
from infra.local.firestore.wire import document_name

SCHEMA = """
CREATE TABLE IF NOT EXISTS boots (id INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS collections (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS documents (
  id INTEGER PRIMARY KEY, collection INTEGER NOT NULL, key BLOB NOT NULL, body BLOB NOT NULL,
  UNIQUE (collection, key));
CREATE TABLE IF NOT EXISTS changes (
  seq INTEGER PRIMARY KEY, commit_time INTEGER NOT NULL, name TEXT NOT NULL, old BLOB, new BLOB);
CREATE TABLE IF NOT EXISTS indexes (
  id INTEGER PRIMARY KEY, scope TEXT NOT NULL, shape TEXT NOT NULL, UNIQUE (scope, shape));
CREATE TABLE IF NOT EXISTS entries (
  idx INTEGER NOT NULL, key BLOB NOT NULL, doc INTEGER NOT NULL, PRIMARY KEY (idx, key)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS behind (idx INTEGER PRIMARY KEY, seq INTEGER NOT NULL);
"""


class Collection(NamedTuple):
    """A collection that has or had documents; `prefix` begins the sort key of each of them."""

    id: int
    name: str
    database: str
    group: str
    prefix: bytes


class Store:
    """The one SQLite file of the Firestore part, and the collections seen in it."""

    def __init__(self, path: FilePath) -> None:
        self.db = Database(path, SCHEMA)
        self._lock = threading.Lock()
        self._collections: dict[str, Collection] = {}
        for row_id, name in self.db.read().execute("SELECT id, name FROM collections"):
            self._remember(row_id, name)
        with self.db.write() as connection:
            self.boot = connection.execute("INSERT INTO boots DEFAULT VALUES").lastrowid or 0

    def close(self) -> None:
        self.db.close()

    def collection(self, name: str) -> Collection | None:
        """The collection with this full name, if a document was ever written to it."""
        return self._collections.get(name)

    def collections(self) -> list[Collection]:
        return list(self._collections.values())

    def ensure_collection(self, name: str) -> Collection:
        """The collection, made known if it was not; not to be called inside `db.write()`."""
        found = self._collections.get(name)
        if found is not None:
            return found
        with self._lock, self.db.write() as connection:
            connection.execute("INSERT OR IGNORE INTO collections (name) VALUES (?)", (name,))
            row = connection.execute("SELECT id FROM collections WHERE name = ?", (name,)).fetchone()
        return self._remember(row[0], name)

    def document_names(self) -> list[str]:
        """The full names of all documents there are."""
        rows = self.db.read().execute("SELECT body FROM documents")
        return [document_name(body) for (body,) in rows]

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """The calling thread's connection, seeing one committed state throughout the block."""
        connection = self.db.read()
        connection.execute("BEGIN")
        try:
            yield connection
        finally:
            connection.execute("COMMIT")

    def body(self, connection: sqlite3.Connection, name: str) -> bytes | None:
        """The serialized document of that name, which must be a document's, or None."""
        collection_name, doc_id = names.split_document(name)
        collection = self._collections.get(collection_name)
        if collection is None:
            return None
        row = connection.execute(
            "SELECT body FROM documents WHERE collection = ? AND key = ?",
            (collection.id, names.document_key(collection.prefix, doc_id)),
        ).fetchone()
        return row[0] if row else None

    def body_at(self, connection: sqlite3.Connection, name: str, seq: int | None) -> bytes | None:
        """As `body`, but as it was after the change `seq`."""
        if seq is not None:
            names.split_document(name)
            row = connection.execute(
                "SELECT old FROM changes WHERE seq > ? AND name = ? ORDER BY seq LIMIT 1", (seq, name)
            ).fetchone()
            if row is not None:
                return row[0]  # type: ignore[no-any-return]
        return self.body(connection, name)

    def has_documents(self, connection: sqlite3.Connection, collection: Collection, seq: int | None) -> bool:
        """Whether there are documents in it, or were after the change `seq`."""
        if seq is None:
            sql = "SELECT 1 FROM documents WHERE collection = ? LIMIT 1"
            return connection.execute(sql, (collection.id,)).fetchone() is not None
        first: dict[str, bool] = {}
        last: dict[str, bool] = {}
        sql = "SELECT name, old IS NOT NULL, new IS NOT NULL FROM changes WHERE seq > ? ORDER BY seq"
        for name, was, remains in connection.execute(sql, (seq,)):
            if name.rpartition("/")[0] == collection.name:
                first.setdefault(name, bool(was))
                last[name] = bool(remains)
        sql = "SELECT count(*) FROM documents WHERE collection = ?"
        present = connection.execute(sql, (collection.id,)).fetchone()[0]
        return any(first.values()) or present > sum(last.values())

    def _remember(self, row_id: int, name: str) -> Collection:
        path = names.parse(name)
        collection = Collection(row_id, name, path.database, path.segments[-1], names.prefix_key(path.segments))
        self._collections[name] = collection
        return collection


def last_seq(connection: sqlite3.Connection) -> int:
    """The number of the newest change this connection sees, 0 before the first."""
    row = connection.execute("SELECT max(seq) FROM changes").fetchone()
    return row[0] or 0


def seq_at(connection: sqlite3.Connection, micros: int) -> int:
    """The newest change not after a moment. Raises FAILED_PRECONDITION when the log no longer reaches back so far."""
    row = connection.execute(
        "SELECT seq FROM changes WHERE commit_time <= ? ORDER BY seq DESC LIMIT 1", (micros,)
    ).fetchone()
    seq = row[0] if row else 0
    check_reach(connection, seq)
    return seq


def reaches(connection: sqlite3.Connection, seq: int) -> bool:
    """Whether the log still has every change after `seq`."""
    first = connection.execute("SELECT min(seq) FROM changes").fetchone()[0]
    return seq >= 0 and (first is None or seq >= first - 1)


def check_reach(connection: sqlite3.Connection, seq: int) -> None:
    """Refuse a state whose following changes are pruned. Raises FAILED_PRECONDITION."""
    if not reaches(connection, seq):
        raise failed_precondition("The requested snapshot version is too old.")
