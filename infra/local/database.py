"""SQLite as every part of the local cloud uses it: WAL, one writer at a time, a reader per thread."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Database:
    """One SQLite file owned by one part.

    Writes run one at a time inside `write()`; reads run beside them on the reading thread's own
    connection and see the last committed state. What `write()` committed survives SIGKILL.
    """

    def __init__(self, path: Path, schema: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._lock = threading.RLock()
        self._local = threading.local()
        self._opened: list[sqlite3.Connection] = []
        self._writer = self._connect()
        self._writer.executescript(schema)

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False, timeout=30)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("PRAGMA cache_size=-65536")
        self._opened.append(connection)
        return connection

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """The only way to write: one transaction, rolled back when the block raises. Not re-entrant."""
        with self._lock:
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
            except BaseException:
                self._writer.execute("ROLLBACK")
                raise
            self._writer.execute("COMMIT")

    def read(self) -> sqlite3.Connection:
        """The calling thread's connection, for SELECT only."""
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = self._connect()
        return connection

    def close(self) -> None:
        """Close every connection. Idempotent."""
        with self._lock:
            while self._opened:
                self._opened.pop().close()
