"""Sessions, their events and operations on SQLite; what is there depends on the moment that is asked for."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from infra.local.aiplatform.storage import Storage

SCHEMA = """
CREATE TABLE IF NOT EXISTS sessions (
    engine TEXT NOT NULL, id TEXT NOT NULL, user_id TEXT NOT NULL, display_name TEXT NOT NULL, state TEXT NOT NULL,
    labels TEXT NOT NULL, created TEXT NOT NULL, updated TEXT NOT NULL, expires TEXT NOT NULL, ready TEXT NOT NULL,
    gone TEXT, PRIMARY KEY (engine, id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS events (
    n INTEGER PRIMARY KEY AUTOINCREMENT, engine TEXT NOT NULL, session TEXT NOT NULL, at TEXT NOT NULL,
    body TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS of_session ON events (engine, session, at, n);
CREATE TABLE IF NOT EXISTS operations (
    n INTEGER PRIMARY KEY AUTOINCREMENT, engine TEXT NOT NULL, session TEXT NOT NULL, kind TEXT NOT NULL,
    begun TEXT NOT NULL, ready TEXT NOT NULL);
"""
_COLUMNS = "engine, id, user_id, display_name, state, labels, created, updated, expires, ready, gone"


@dataclass(frozen=True)
class Session:
    """A session; `gone` is when its deletion is done, None while nobody deletes it."""

    engine: str
    id: str
    user_id: str
    display_name: str
    state: Mapping[str, Any]
    labels: Mapping[str, str]
    created: datetime
    updated: datetime
    expires: datetime
    ready: datetime
    gone: datetime | None = None

    def over(self, now: datetime) -> bool:
        """Whether its name is free again."""
        return self.expires <= now or (self.gone is not None and self.gone <= now)

    def shown(self, now: datetime) -> bool:
        """Whether a get finds it: not before the operation that creates it is done."""
        return self.ready <= now and not self.over(now)

    @property
    def name(self) -> str:
        return f"{self.engine}/sessions/{self.id}"

    def resource(self) -> dict[str, Any]:
        shown: dict[str, Any] = {
            "name": self.name,
            "createTime": stamp(self.created),
            "updateTime": stamp(self.updated),
            "userId": self.user_id,
            "sessionState": dict(self.state),
            "expireTime": stamp(self.expires),
        }
        if self.display_name:
            shown["displayName"] = self.display_name
        if self.labels:
            shown["labels"] = dict(self.labels)
        return shown


@dataclass(frozen=True)
class Operation:
    """A create or a delete under way."""

    number: int
    session: str
    kind: str
    begun: datetime
    ready: datetime


class SessionsStore:
    """No rule of the API lives here."""

    def __init__(self, path: Path) -> None:
        self._db = Storage(path, SCHEMA)

    def close(self) -> None:
        self._db.close()

    def wipe(self) -> int:
        """Forget everything; how many sessions there were."""
        with self._db.write() as connection:
            gone = connection.execute("DELETE FROM sessions").rowcount
            connection.execute("DELETE FROM events")
            connection.execute("DELETE FROM operations")
        return int(gone)

    def add(self, session: Session, now: datetime) -> Operation | None:
        """Create it; None where its name is taken. What had the name before, and is over, goes with its events."""
        with self._db.write() as connection:
            found = self._found(connection, session.engine, session.id)
            if found is not None and not found.over(now):
                return None
            connection.execute("DELETE FROM events WHERE engine = ? AND session = ?", (session.engine, session.id))
            marks = ", ".join("?" * len(_COLUMNS.split(",")))
            connection.execute(f"INSERT OR REPLACE INTO sessions ({_COLUMNS}) VALUES ({marks})", _row(session))
            return _operation(connection, session, "create", now, session.ready)

    def find(self, engine: str, session_id: str) -> Session | None:
        with self._db.write() as connection:
            return self._found(connection, engine, session_id)

    def of_engine(self, engine: str) -> list[Session]:
        rows = self._db.rows(f"SELECT {_COLUMNS} FROM sessions WHERE engine = ?", engine)
        return [_session(row) for row in rows]

    def change(self, session: Session, fields: Mapping[str, Any], now: datetime) -> None:
        """Set display_name and labels, as far as they are given."""
        with self._db.write() as connection:
            for column, value in fields.items():
                text = json.dumps(value) if isinstance(value, dict) else value
                connection.execute(
                    f"UPDATE sessions SET {column} = ?, updated = ? WHERE engine = ? AND id = ?",
                    (text, sortable(now), session.engine, session.id),
                )

    def append(self, session: Session, body: Mapping[str, Any], at: datetime, now: datetime) -> None:
        """Add an event, and merge its state delta by top-level key into the state of this moment."""
        delta = body.get("actions", {}).get("stateDelta", {})
        with self._db.write() as connection:
            current = self._found(connection, session.engine, session.id) or session
            state = json.dumps({**current.state, **delta}, ensure_ascii=False)
            connection.execute(
                "UPDATE sessions SET state = ?, updated = ? WHERE engine = ? AND id = ?",
                (state, sortable(now), session.engine, session.id),
            )
            connection.execute(
                "INSERT INTO events (engine, session, at, body) VALUES (?, ?, ?, ?)",
                (session.engine, session.id, sortable(at), json.dumps(body, ensure_ascii=False)),
            )

    def events(self, session: Session) -> list[tuple[int, datetime, Mapping[str, Any]]]:
        """Number, timestamp and body of each, in the order of their timestamps."""
        query = "SELECT n, at, body FROM events WHERE engine = ? AND session = ? ORDER BY at, n"
        rows = self._db.rows(query, session.engine, session.id)
        return [(n, datetime.fromisoformat(at), json.loads(body)) for n, at, body in rows]

    def remove(self, session: Session, now: datetime, gone: datetime) -> Operation:
        """Delete it, which is done at `gone`."""
        with self._db.write() as connection:
            connection.execute(
                "UPDATE sessions SET gone = ? WHERE engine = ? AND id = ?", (sortable(gone), session.engine, session.id)
            )
            return _operation(connection, session, "delete", now, gone)

    def operation(self, engine: str, session_id: str, number: str) -> Operation | None:
        query = "SELECT n, session, kind, begun, ready FROM operations WHERE engine = ? AND session = ? AND n = ?"
        rows = self._db.rows(query, engine, session_id, number)
        if not rows:
            return None
        n, session, kind, begun, ready = rows[0]
        return Operation(n, session, kind, datetime.fromisoformat(begun), datetime.fromisoformat(ready))

    @staticmethod
    def _found(connection: sqlite3.Connection, engine: str, session_id: str) -> Session | None:
        query = f"SELECT {_COLUMNS} FROM sessions WHERE engine = ? AND id = ?"
        row = connection.execute(query, (engine, session_id)).fetchone()
        return None if row is None else _session(row)


def sortable(moment: datetime) -> str:
    """A moment as text that sorts as time does."""
    return moment.astimezone(timezone.utc).isoformat(timespec="microseconds")


def stamp(moment: datetime) -> str:
    """As the service writes it."""
    return sortable(moment).replace("+00:00", "Z")


def _operation(
    connection: sqlite3.Connection, session: Session, kind: str, begun: datetime, ready: datetime
) -> Operation:
    done = connection.execute(
        "INSERT INTO operations (engine, session, kind, begun, ready) VALUES (?, ?, ?, ?, ?)",
        (session.engine, session.id, kind, sortable(begun), sortable(ready)),
    )
    return Operation(done.lastrowid or 0, session.id, kind, begun, ready)


def _row(session: Session) -> tuple[Any, ...]:
    return (
        session.engine,
        session.id,
        session.user_id,
        session.display_name,
        json.dumps(session.state, ensure_ascii=False),
        json.dumps(session.labels),
        sortable(session.created),
        sortable(session.updated),
        sortable(session.expires),
        sortable(session.ready),
        None if session.gone is None else sortable(session.gone),
    )


def _session(row: Any) -> Session:
    engine, name, user_id, display_name, state, labels, created, updated, expires, ready, gone = row
    return Session(
        engine,
        name,
        user_id,
        display_name,
        json.loads(state),
        json.loads(labels),
        datetime.fromisoformat(created),
        datetime.fromisoformat(updated),
        datetime.fromisoformat(expires),
        datetime.fromisoformat(ready),
        None if gone is None else datetime.fromisoformat(gone),
    )
