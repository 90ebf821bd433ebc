"""Sessions in one SQLite file: for one machine, on which any number of processes may share it."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from shared.contracts.sessions import CheckpointEntry, Retention, SessionStoreKind
from shared.cursors import cursor_after, parse_cursor
from shared.errors import Transient
from shared.sessions.envelope import head_of
from shared.sessions.errors import StoreBroken
from shared.sessions.port import KEPT_FOR_GOOD, Decide, Page, Sealed, Stored

BUSY_SECONDS = 10.0
SCHEMA_VERSION = 1
_SCHEMA = (
    """CREATE TABLE IF NOT EXISTS checkpoints (
        session_id TEXT PRIMARY KEY, owner TEXT, version INTEGER NOT NULL, saved_at TEXT NOT NULL,
        envelope TEXT NOT NULL) WITHOUT ROWID""",
    "CREATE INDEX IF NOT EXISTS by_owner ON checkpoints (owner, saved_at, session_id)",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)
_READ = "SELECT envelope, owner FROM checkpoints WHERE session_id = ?"
_SAVE = """INSERT INTO checkpoints (session_id, owner, version, saved_at, envelope) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (session_id) DO UPDATE SET
    version = excluded.version, saved_at = excluded.saved_at, envelope = excluded.envelope"""
_PAGE = """SELECT session_id, version, saved_at FROM checkpoints WHERE owner IS ? {after}
    ORDER BY saved_at DESC, session_id DESC LIMIT ?"""


class SqliteShelf:
    """Write-ahead log, one writer at a time; a save is on the disk when it returns."""

    kind = SessionStoreKind.SQLITE
    max_bytes = 8_000_000

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock, self._process = threading.RLock(), 0
        self._connection: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None

    @property
    def where(self) -> str:
        return str(self._path.absolute())

    @property
    def about(self) -> str:
        return f"Conversations are kept on this one machine, in {self.where}: other machines do not see them."

    def read(self, session_id: str) -> Stored | None:
        with self._used() as connection:
            row = connection.execute(_READ, (session_id,)).fetchone()
        return None if row is None else Stored(str(row[0]), row[1])

    def write(self, sealed: Sealed, decide: Decide) -> None:
        name, envelope = sealed.session_id, sealed.envelope
        row = (name, envelope.owner, envelope.version, _sortable(envelope.saved_at), sealed.text)
        with self._transaction() as connection:
            found = connection.execute(_READ, (name,)).fetchone()
            if decide(None if found is None else head_of(name, str(found[0]), found[1])):
                connection.execute(_SAVE, row)

    def remove(self, session_id: str) -> bool:
        with self._transaction() as connection:
            return connection.execute("DELETE FROM checkpoints WHERE session_id = ?", (session_id,)).rowcount == 1

    def page(self, owner: str | None, limit: int, cursor: str | None) -> Page:
        values: list[object] = [owner]
        if cursor is not None:
            moment, name = parse_cursor(cursor)
            values += [_sortable(moment), name]
        query = _PAGE.format(after="" if cursor is None else "AND (saved_at, session_id) < (?, ?)")
        with self._used() as connection:
            rows = connection.execute(query, (*values, limit + 1)).fetchall()
        entries = tuple(self._entry(owner, *row) for row in rows[:limit])
        if len(rows) <= limit:
            return Page(entries)
        return Page(entries, cursor_after(datetime.fromisoformat(rows[limit - 1][2]), rows[limit - 1][0]))

    def _entry(self, owner: str | None, name: str, version: int, moment: str) -> CheckpointEntry:
        try:
            saved_at = datetime.fromisoformat(moment)
            return CheckpointEntry(session_id=name, owner=owner, version=version, saved_at=saved_at)
        except (ValueError, TypeError) as error:
            raise StoreBroken(
                f"{self.where}: the row of {name} is damaged. Forget it, or put a good file there."
            ) from error

    def retention(self) -> Retention:
        return KEPT_FOR_GOOD

    def close(self) -> None:
        with self._lock:
            if self._process == os.getpid():
                self._let_go()
            self._connection = None

    def _let_go(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """One that holds the write lock from its beginning, so that nobody writes between the look and the save."""
        with self._used() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.OperationalError):  # where the disk fails it has been rolled back already
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _used(self) -> Iterator[sqlite3.Connection]:
        """This process's connection, one thread at a time; a connection must not be taken over a fork."""
        if self._process != os.getpid():
            self._lock, self._connection, self._process = threading.RLock(), None, os.getpid()
        with self._lock:
            try:
                if self._connection is None or self._file != _identity(self._path):
                    self._let_go()  # a file that was put in its place, or removed, is not written into any more
                    self._connection = self._opened()
                    self._file = _identity(self._path)
                yield self._connection
            except sqlite3.OperationalError as error:
                if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_READONLY:
                    raise StoreBroken(f"SESSIONS_PATH: {self.where} cannot be written: {error}.") from error
                raise Transient(f"{self.where} cannot be used just now: {error}.") from error
            except sqlite3.DatabaseError as error:
                self._let_go()
                raise StoreBroken(
                    f"{self.where} is damaged or no SQLite file: {error}. Put a good one there."
                ) from error

    def _opened(self) -> sqlite3.Connection:
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))  # conversations are nobody else's business
        except OSError as error:
            raise StoreBroken(f"SESSIONS_PATH: {self.where} cannot be written: {error.strerror}.") from error
        connection = sqlite3.connect(self._path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        connection.text_factory = _text
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version not in (0, SCHEMA_VERSION):
            raise StoreBroken(f"{self.where} is of version {version}, and only {SCHEMA_VERSION} is known here.")
        if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
            connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        if version == 0:
            connection.execute("BEGIN IMMEDIATE")
            for statement in _SCHEMA:
                connection.execute(statement)
            connection.execute("COMMIT")


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file it is; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _text(raw: bytes) -> str:
    """A text as it was written; one that is damaged begins as no JSON does, so that nobody takes it for whole."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return "\N{REPLACEMENT CHARACTER}" + raw.decode(errors="replace")


def _sortable(moment: datetime) -> str:
    """A moment in UTC as text that sorts as time does."""
    return moment.isoformat(timespec="microseconds")
