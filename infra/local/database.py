"""SQLite as every part of the local cloud uses it: WAL, one writer at a time, a reader per thread."""

from __future__ import annotations

import sqlite3
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class _Reader:
    """A thread's own connection, closed with its thread and never under the hands of another.

    Not by __del__: the collector may finalize the connection before it, and from Python 3.13 on that is a warning.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        weakref.finalize(self, connection.close)


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
        self._closed = False
        self._writer = self._connect()
        self._writer.executescript(schema)

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False, timeout=30)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("PRAGMA cache_size=-65536")
        return connection

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """The only way to write: one transaction, rolled back when the block raises. Not re-entrant."""
        with self._lock:
            if self._closed:
                raise sqlite3.ProgrammingError(f"{self._path.name} is closed")
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
            except BaseException:
                self._writer.execute("ROLLBACK")
                raise
            self._writer.execute("COMMIT")

    def read(self) -> sqlite3.Connection:
        """The calling thread's connection, for SELECT only. Raises sqlite3.ProgrammingError after `close`."""
        if self._closed:
            raise sqlite3.ProgrammingError(f"{self._path.name} is closed")
        reader: _Reader | None = getattr(self._local, "reader", None)
        if reader is None:
            reader = self._local.reader = _Reader(self._connect())
        return reader.connection

    def close(self) -> None:
        """Refuse what comes from now on; a read under way in another thread ends in peace. Idempotent."""
        with self._lock:
            self._closed = True
            self._writer.close()
