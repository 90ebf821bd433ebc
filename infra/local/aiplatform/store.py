"""Interactions, scripts, calls and redirects on SQLite: what was answered is there after a restart."""

from __future__ import annotations

import base64
import hashlib
import json
import sqlite3
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from infra.local.aiplatform.gates import Gates
from infra.local.aiplatform.plan import Plan
from infra.local.aiplatform.record import Record
from infra.local.aiplatform.storage import Storage

SCHEMA = """
CREATE TABLE IF NOT EXISTS interactions (
    n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE, created TEXT NOT NULL, body TEXT NOT NULL,
    plan TEXT NOT NULL, cancelled_at REAL, settled INTEGER NOT NULL DEFAULT 0);
CREATE INDEX IF NOT EXISTS unsettled ON interactions (settled) WHERE settled = 0;
CREATE TABLE IF NOT EXISTS scripts (
    n INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL, touched INTEGER NOT NULL DEFAULT 0, interaction TEXT);
CREATE TABLE IF NOT EXISTS calls (
    n INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, verb TEXT NOT NULL, path TEXT NOT NULL,
    interaction TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS redirects (token TEXT PRIMARY KEY, location TEXT, delay_seconds REAL NOT NULL);
"""


class InteractionStore:
    """Create, read, cancel, settle, delete; no rule of the API lives here."""

    def __init__(self, database: Storage) -> None:
        self._db = database
        self._gates = Gates(database)

    def create(self, created: datetime, body: Mapping[str, Any], plan: Plan) -> Record:
        with self._db.write() as connection:
            row = (created.isoformat(), json.dumps(body, ensure_ascii=False), plan.to_json())
            done = connection.execute("INSERT INTO interactions (created, body, plan) VALUES (?, ?, ?)", row)
            identity = _identity(done.lastrowid or 0, created)
            connection.execute("UPDATE interactions SET id = ? WHERE n = ?", (identity, done.lastrowid))
        return Record(identity, created, body, plan, opened=self._opened(plan))

    def get(self, identity: str) -> Record | None:
        rows = self._db.rows(f"{_SELECT} WHERE id = ?", identity)
        return self._record(rows[0]) if rows else None

    def unsettled(self) -> list[Record]:
        """The runs whose end has not been booked yet, oldest first."""
        return [self._record(row) for row in self._db.rows(f"{_SELECT} WHERE settled = 0 ORDER BY n")]

    def cancel(self, identity: str, cancelled_at: float) -> None:
        with self._db.write() as connection:
            connection.execute("UPDATE interactions SET cancelled_at = ? WHERE id = ?", (cancelled_at, identity))

    def settle(self, identity: str) -> bool:
        """Mark the run as booked; false when it was already."""
        with self._db.write() as connection:
            done = connection.execute("UPDATE interactions SET settled = 1 WHERE id = ? AND settled = 0", (identity,))
            return done.rowcount == 1

    def delete(self, identity: str) -> bool:
        with self._db.write() as connection:
            return connection.execute("DELETE FROM interactions WHERE id = ?", (identity,)).rowcount == 1

    def _record(self, row: sqlite3.Row | tuple[Any, ...]) -> Record:
        identity, created, body, text, cancelled_at = row
        plan = Plan.from_json(text)
        begun = datetime.fromisoformat(created)
        return Record(identity, begun, json.loads(body), plan, cancelled_at, self._opened(plan))

    def _opened(self, plan: Plan) -> datetime | None:
        return self._gates.opened(plan.hold[1]) if plan.hold else None


_SELECT = "SELECT id, created, body, plan, cancelled_at FROM interactions"


def _identity(number: int, created: datetime) -> str:
    """An id like the service's: opaque, and never given twice by one store."""
    digest = hashlib.sha256(f"{number} {created.isoformat()}".encode()).digest()
    return "v1_Chd" + base64.urlsafe_b64encode(digest[:24]).decode()
