"""Gates at which scripts wait: what must be seen while it lasts goes on when the test says that it was seen."""

from __future__ import annotations

from datetime import datetime

from infra.local.aiplatform.errors import invalid
from infra.local.aiplatform.storage import Storage

SCHEMA = "CREATE TABLE IF NOT EXISTS gates (name TEXT PRIMARY KEY, opened TEXT NOT NULL);"


class Gates:
    """Each is shut until it is opened by its name, and stays open."""

    def __init__(self, database: Storage) -> None:
        self._db = database

    def open(self, name: str, now: datetime) -> None:
        """Raises ApiError 400 for an empty name."""
        if not name:
            raise invalid("A gate has a name.", "name")
        with self._db.write() as connection:
            connection.execute("INSERT OR IGNORE INTO gates VALUES (?, ?)", (name, now.isoformat()))

    def opened(self, name: str) -> datetime | None:
        """When it was opened; None while it is shut."""
        rows = self._db.rows("SELECT opened FROM gates WHERE name = ?", name)
        return datetime.fromisoformat(rows[0][0]) if rows else None
