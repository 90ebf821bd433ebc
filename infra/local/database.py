"""SQLite as every part of the local cloud uses it: WAL, one writer at a time, a reader per thread."""

from __future__ import annotations

import logging
import sqlite3
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CACHE_KIB, MAPPED_BYTES = 8192, 256 * 1024 * 1024
"""A page cache for each connection, so for each thread; what is mapped is in memory once for all of them."""

log = logging.getLogger(__name__)
_STORAGE = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN})


class DatabaseClosed(sqlite3.ProgrammingError):
    """The database was asked for something after its `close`: the part is going away."""


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
        self._failure = ""
        self._writer = self._connect()
        self._writer.executescript(schema)
        _open.add(self)

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False, timeout=30)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
        connection.execute(f"PRAGMA mmap_size={MAPPED_BYTES}")
        return connection

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """The only way to write: one transaction, rolled back when the block raises. Not re-entrant.

        Raises DatabaseClosed after `close`.
        """
        with self._lock:
            if self._closed:
                raise DatabaseClosed(f"{self._path.name} is closed")
            with self._noting():
                self._writer.execute("BEGIN IMMEDIATE")
                try:
                    yield self._writer
                    self._writer.execute("COMMIT")
                except BaseException:
                    if self._writer.in_transaction:  # where the disk fails, SQLite may have rolled back by itself
                        self._writer.execute("ROLLBACK")
                    raise

    def read(self) -> sqlite3.Connection:
        """The calling thread's connection, for SELECT only. Raises DatabaseClosed after `close`."""
        if self._closed:
            raise DatabaseClosed(f"{self._path.name} is closed")
        reader: _Reader | None = getattr(self._local, "reader", None)
        if reader is None:
            reader = self._local.reader = _Reader(self._connect())
        return reader.connection

    @contextmanager
    def _noting(self) -> Iterator[None]:
        """Remember whether the disk fails, and log it once until it is well again."""
        try:
            yield
        except sqlite3.OperationalError as error:
            failure = storage_failure(error)
            if failure and not self._failure:
                log.error("%s cannot be written: %s", self._path, failure)
            self._failure = failure or self._failure
            raise
        self._failure = ""

    def close(self) -> None:
        """Refuse what comes from now on; a read under way in another thread ends in peace. Idempotent."""
        with self._lock:
            self._closed = True
            self._writer.close()


_open: weakref.WeakSet[Database] = weakref.WeakSet()
"""Every database of this process: health says which of them the disk fails, and the parts keep theirs private."""


def storage_failure(error: BaseException) -> str:
    """What the disk has to do with an error: "disk I/O error", "database or disk is full"; empty for any other one."""
    if not isinstance(error, sqlite3.OperationalError):
        return ""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest says in what the disk failed
    return str(error) if code in _STORAGE else ""


def failures_in(folder: Path) -> dict[str, str]:
    """The databases in a folder whose last write failed for want of a disk that takes it, by file name."""
    found = [database for database in list(_open) if folder in database._path.parents]
    return {database._path.name: database._failure for database in found if database._failure and not database._closed}
