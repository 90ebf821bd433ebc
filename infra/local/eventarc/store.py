"""What is to be delivered: events, deliveries and the place in the change log, in one SQLite file."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from infra.local.database import Database
from infra.local.eventarc.events import Event

SCHEMA = """
CREATE TABLE IF NOT EXISTS place (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS events (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, time TEXT NOT NULL, data BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS deliveries (
    id INTEGER PRIMARY KEY, event_id TEXT NOT NULL, function TEXT NOT NULL, event_type TEXT NOT NULL,
    document TEXT NOT NULL, bytes INTEGER NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
    created_at REAL NOT NULL, next_at REAL NOT NULL, ended_at REAL, last_status INTEGER, last_error TEXT);
CREATE INDEX IF NOT EXISTS due ON deliveries (function, next_at, id) WHERE state = 'pending';
CREATE INDEX IF NOT EXISTS waiting ON deliveries (event_id) WHERE state = 'pending';
CREATE INDEX IF NOT EXISTS ended ON deliveries (ended_at) WHERE state != 'pending';
"""
KEPT_ENDED = 2000


@dataclass(frozen=True)
class Planned:
    """A delivery to be made: `state` is "pending", or says why it is not made."""

    event: Event
    function: str
    event_type: str
    next_at: datetime
    state: str = "pending"


@dataclass(frozen=True)
class Due:
    """A delivery whose time has come."""

    id: int
    function: str
    event_type: str
    attempts: int
    created_at: datetime
    event: Event


class DeliveryStore:
    """The durable side of eventarc. Times are kept as seconds since 1970."""

    def __init__(self, path: Path) -> None:
        self._db = Database(path, SCHEMA)

    def place(self) -> int:
        """The last change whose deliveries are stored."""
        row = self._db.read().execute("SELECT seq FROM place").fetchone()
        return int(row[0]) if row else 0

    def add(self, planned: Sequence[Planned], seq: int, now: datetime) -> None:
        """Store deliveries and the new place together: no change is lost between them, none is planned twice."""
        with self._db.write() as connection:
            for delivery in planned:
                _insert(connection, delivery, now)
            connection.execute("INSERT INTO place VALUES (1, ?) ON CONFLICT DO UPDATE SET seq = excluded.seq", (seq,))

    def due(self, function: str, now: datetime, limit: int, beyond: Sequence[int]) -> list[Due]:
        """Up to `limit` pending deliveries whose time has come, without those in `beyond`."""
        marks = ",".join("?" * len(beyond))
        rows = self._db.read().execute(
            "SELECT d.id, d.function, d.event_type, d.attempts, d.created_at, e.id, e.kind, e.name, e.time, e.data"
            " FROM deliveries d JOIN events e ON e.id = d.event_id"
            f" WHERE d.state = 'pending' AND d.function = ? AND d.next_at <= ? AND d.id NOT IN ({marks})"
            " ORDER BY d.next_at, d.id LIMIT ?",
            (function, now.timestamp(), *beyond, limit),
        )
        return [_due(row) for row in rows.fetchall()]

    def next_due(self, function: str, now: datetime) -> datetime | None:
        """When the next delivery that is not yet due will be."""
        row = self._db.read().execute(
            "SELECT min(next_at) FROM deliveries WHERE state = 'pending' AND function = ? AND next_at > ?",
            (function, now.timestamp()),
        )
        (moment,) = row.fetchone()
        return None if moment is None else datetime.fromtimestamp(moment, timezone.utc)

    def postpone(self, due: Due, until: datetime, status: int, error: str) -> None:
        """Count a failed attempt; the next one is at `until`."""
        with self._db.write() as connection:
            connection.execute(
                "UPDATE deliveries SET attempts = attempts + 1, next_at = ?, last_status = ?, last_error = ?"
                " WHERE id = ? AND event_id = ?",  # after a reset another delivery may have the id
                (until.timestamp(), status, error, due.id, due.event.id),
            )

    def end(self, due: Due, state: str, now: datetime, status: int, error: str | None) -> None:
        """Count the last attempt and end the delivery; the event's body goes with its last delivery."""
        with self._db.write() as connection:
            connection.execute(
                "UPDATE deliveries SET attempts = attempts + 1, state = ?, ended_at = ?,"
                " last_status = ?, last_error = ?"
                " WHERE id = ? AND event_id = ?",
                (state, now.timestamp(), status, error, due.id, due.event.id),
            )
            connection.execute(
                "DELETE FROM events WHERE id = ?1"
                " AND NOT EXISTS (SELECT 1 FROM deliveries WHERE event_id = ?1 AND state = 'pending')",
                (due.event.id,),
            )

    def expedite(self, delivery_id: int, now: datetime) -> str | None:
        """Make a pending delivery due; its function, None when there is no such pending one."""
        with self._db.write() as connection:
            row = connection.execute(
                "UPDATE deliveries SET next_at = min(next_at, ?) WHERE id = ? AND state = 'pending' RETURNING function",
                (now.timestamp(), delivery_id),
            ).fetchone()
        return row[0] if row else None

    def forget(self, seq: int) -> None:
        """Forget every delivery; what changed up to `seq` never becomes one."""
        with self._db.write() as connection:
            connection.execute("DELETE FROM deliveries")
            connection.execute("DELETE FROM events")
            connection.execute("INSERT INTO place VALUES (1, ?) ON CONFLICT DO UPDATE SET seq = excluded.seq", (seq,))

    def tidy(self) -> None:
        """Forget the oldest of the deliveries that were acknowledged; what was dropped stays to be seen."""
        with self._db.write() as connection:
            connection.execute(
                "DELETE FROM deliveries WHERE state = 'delivered' AND id NOT IN"
                " (SELECT id FROM deliveries WHERE state = 'delivered' ORDER BY id DESC LIMIT ?)",
                (KEPT_ENDED,),
            )

    def counts(self) -> dict[str, dict[str, int]]:
        """How many deliveries there are, by function and state."""
        found: dict[str, dict[str, int]] = {}
        rows = self._db.read().execute("SELECT function, state, count(*) FROM deliveries GROUP BY function, state")
        for function, state, count in rows.fetchall():
            found.setdefault(function, {})[state] = count
        return found

    def recent(self, limit: int, state: str = "") -> list[dict[str, Any]]:
        """The newest deliveries, for people to look at; of those whose state begins with `state`."""
        rows = self._db.read().execute(
            "SELECT id, event_id, function, event_type, document, bytes, state, attempts, created_at, next_at,"
            " ended_at, last_status, last_error FROM deliveries WHERE substr(state, 1, ?) = ? ORDER BY id DESC LIMIT ?",
            (len(state), state, limit),
        )
        names = [column[0] for column in rows.description]
        return [dict(zip(names, row, strict=True)) for row in rows.fetchall()]

    def close(self) -> None:
        self._db.close()


def _insert(connection: sqlite3.Connection, planned: Planned, now: datetime) -> None:
    event = planned.event
    if planned.state == "pending":
        connection.execute(
            "INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?, ?)",
            (event.id, event.kind, event.name, event.time.isoformat(), event.data),
        )
    ended = None if planned.state == "pending" else now.timestamp()
    connection.execute(
        "INSERT INTO deliveries (event_id, function, event_type, document, bytes, state, created_at, next_at, ended_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            event.id,
            planned.function,
            planned.event_type,
            event.path,
            len(event.data),
            planned.state,
            now.timestamp(),
            planned.next_at.timestamp(),
            ended,
        ),
    )


def _due(row: tuple[Any, ...]) -> Due:
    number, function, event_type, attempts, created_at, event_id, kind, name, time, data = row
    event = Event(event_id, kind, name, datetime.fromisoformat(time), data)
    return Due(number, function, event_type, attempts, datetime.fromtimestamp(created_at, timezone.utc), event)
