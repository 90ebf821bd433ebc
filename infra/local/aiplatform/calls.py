"""A record of every request, so that a test can say what was asked of the platform and how often."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from infra.local.aiplatform.storage import Storage


@dataclass(frozen=True)
class Call:
    """`verb` is create, get, stream, cancel, delete or the model method; `status` the HTTP status answered."""

    at: str
    verb: str
    path: str
    interaction: str
    status: int
    body: Any


class CallLog:
    def __init__(self, database: Storage) -> None:
        self._db = database

    def add(self, at: datetime, verb: str, path: str, interaction: str, status: int, body: Any) -> None:
        row = (at.isoformat(), verb, path, interaction, status, json.dumps(body, ensure_ascii=False))
        with self._db.write() as connection:
            connection.execute(
                "INSERT INTO calls (at, verb, path, interaction, status, body) VALUES (?, ?, ?, ?, ?, ?)", row
            )

    def all(self) -> list[Call]:
        """Every request so far, oldest first."""
        query = "SELECT at, verb, path, interaction, status, body FROM calls ORDER BY n"
        return [
            Call(at, verb, path, interaction, status, json.loads(body))
            for at, verb, path, interaction, status, body in self._db.rows(query)
        ]

    def count(self, verb: str) -> int:
        """How many requests of that verb came, refused ones included."""
        query = "SELECT count(*) FROM calls WHERE verb = ?"
        return int(self._db.rows(query, verb)[0][0])

    def created(self) -> list[str]:
        """Ids of the interactions that were accepted, oldest first: each is a paid run."""
        return [call.interaction for call in self.all() if call.verb == "create" and call.interaction]

    def cancelled(self) -> list[str]:
        """Ids of the interactions that were asked to be cancelled and were running."""
        return [call.interaction for call in self.all() if call.verb == "cancel" and call.status == 200]

    def summary(self) -> dict[str, Any]:
        calls = self.all()
        return {
            "creates": self.count("create"),
            "accepted": self.created(),
            "cancelled": self.cancelled(),
            "calls": [asdict(call) for call in calls],
        }
