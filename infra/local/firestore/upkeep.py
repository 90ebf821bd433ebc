"""Filling an index, and bringing one up to date that large commits left behind: from the log, or from nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from infra.local.firestore import names, wire
from infra.local.firestore.entries import Index, entry_keys
from infra.local.firestore.store import Collection, last_seq, reaches

DELETE_ENTRY = "DELETE FROM entries WHERE idx = ? AND key = ?"
INSERT_ENTRY = "INSERT INTO entries (idx, key, doc) VALUES (?, ?, ?)"


def leave_behind(connection: sqlite3.Connection, indexes: Iterable[int]) -> None:
    """Note that these indexes lack the changes that are logged from now on; before any of them is."""
    seq = last_seq(connection)
    connection.executemany("INSERT OR IGNORE INTO behind (idx, seq) VALUES (?, ?)", [(each, seq) for each in indexes])


def behind(connection: sqlite3.Connection) -> set[int]:
    """The ids of the indexes that were left behind."""
    return {row[0] for row in connection.execute("SELECT idx FROM behind")}


def is_behind(connection: sqlite3.Connection, index: Index) -> bool:
    return connection.execute("SELECT 1 FROM behind WHERE idx = ?", (index.id,)).fetchone() is not None


def fill(connection: sqlite3.Connection, index: Index, collections: Iterable[Collection]) -> None:
    """Lay down an empty index over the documents there are in `collections`."""
    entries = []
    for collection in collections:
        sql = "SELECT id, key, body FROM documents WHERE collection = ?"
        for doc, path_key, body in connection.execute(sql, (collection.id,)):
            entries += [(index.id, key, doc) for key in _keys(index, path_key, body)]
    entries.sort()
    connection.executemany(INSERT_ENTRY, entries)


def catch_up(connection: sqlite3.Connection, index: Index, collections: Sequence[Collection]) -> None:
    """Bring an index over `collections` up to date, inside a write; no harm when it is already."""
    row = connection.execute("SELECT seq FROM behind WHERE idx = ?", (index.id,)).fetchone()
    if row is None:
        return
    if reaches(connection, row[0]):
        _replay(connection, index, {collection.name: collection for collection in collections}, row[0])
    else:
        connection.execute("DELETE FROM entries WHERE idx = ?", (index.id,))
        fill(connection, index, collections)
    connection.execute("DELETE FROM behind WHERE idx = ?", (index.id,))


def _replay(connection: sqlite3.Connection, index: Index, collections: dict[str, Collection], seq: int) -> None:
    """Take from the log what the documents changed since `seq` were, and from the documents what they are."""
    gone: list[tuple[int, bytes]] = []
    new: list[tuple[int, bytes, int]] = []
    was, recreated = _changed(connection, seq)
    for name, old_body in was.items():
        collection_name, _, doc_id = name.rpartition("/")
        collection = collections.get(collection_name)
        if collection is None:
            continue
        path_key = names.document_key(collection.prefix, doc_id)
        doc, body = _row(connection, collection, path_key)
        before, after = _keys(index, path_key, old_body), _keys(index, path_key, body)
        unchanged = set() if name in recreated else before & after
        gone += [(index.id, key) for key in before - unchanged]
        new += [(index.id, key, doc) for key in after - unchanged]
    connection.executemany(DELETE_ENTRY, sorted(gone))
    connection.executemany(INSERT_ENTRY, sorted(new))


def _changed(connection: sqlite3.Connection, seq: int) -> tuple[dict[str, bytes | None], set[str]]:
    """The documents changed since `seq` as they were then, and those deleted since, which have another row now."""
    was: dict[str, bytes | None] = {}
    recreated = set()
    sql = "SELECT name, old, new IS NULL FROM changes WHERE seq > ? ORDER BY seq"
    for name, old, is_deletion in connection.execute(sql, (seq,)):
        was.setdefault(name, old)
        if is_deletion:
            recreated.add(name)
    return was, recreated


def _row(connection: sqlite3.Connection, collection: Collection, path_key: bytes) -> tuple[int, bytes | None]:
    sql = "SELECT id, body FROM documents WHERE collection = ? AND key = ?"
    row: tuple[int, bytes] | None = connection.execute(sql, (collection.id, path_key)).fetchone()
    return (0, None) if row is None else row


def _keys(index: Index, path_key: bytes, body: bytes | None) -> set[bytes]:
    return set() if body is None else entry_keys(index, path_key, wire.parse_document(body).fields)
