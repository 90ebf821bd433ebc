"""Webhooks on their way: kept in the database, sent until they are taken, given up after a day."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

from infra.local.aiplatform.errors import ApiError
from infra.local.aiplatform.record import Record
from infra.local.aiplatform.storage import Storage
from infra.local.aiplatform.webhooks import signing
from infra.local.aiplatform.webhooks.events import event, event_of
from infra.local.aiplatform.webhooks.ports import Outside, SigningKey
from infra.local.aiplatform.webhooks.registry import Registry
from infra.local.clock import Clock
from infra.local.iam.keys import KeyStore

SCHEMA = """
CREATE TABLE IF NOT EXISTS webhook_deliveries (
    n INTEGER PRIMARY KEY AUTOINCREMENT, about TEXT NOT NULL, address TEXT NOT NULL, hook TEXT NOT NULL,
    body TEXT NOT NULL, metadata TEXT NOT NULL, created TEXT NOT NULL, due TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0, state TEXT NOT NULL DEFAULT 'waiting', UNIQUE (about, address, hook));
"""
_WAITING = "WHERE state = 'waiting'"
FIRST_SECONDS, MOST_SECONDS = 5.0, 3600.0
LIFETIME = timedelta(hours=24)
"""As documented: failed deliveries are tried again for a day, with growing waits; how they grow is not said."""


@dataclass(frozen=True)
class _Row:
    n: int
    address: str
    hook: str
    """The webhook of the project; "" for one of a single run."""
    body: bytes
    metadata: Any
    created: datetime
    due: datetime
    attempts: int

    @property
    def identity(self) -> str:
        """The header webhook-id: the same for every attempt."""
        return "msg_" + hashlib.sha256(f"{self.n} {self.created.isoformat()}".encode()).hexdigest()[:24]


class Outbox:
    def __init__(self, database: Storage, registry: Registry, clock: Clock, outside: Outside, data_dir: Path) -> None:
        self._db, self._registry, self._clock, self._outside = database, registry, clock, outside
        self._data_dir = data_dir

    @cached_property
    def key(self) -> SigningKey:
        """Whose public half anybody may read."""
        return self._outside.key or KeyStore(self._data_dir / "webhooks")

    def start(self) -> None:
        """Go on with what the last process left."""
        for row in list(self._rows(f"{_WAITING} ORDER BY n")):
            self._later(row.n, row.due, _WAITING)

    def told(self, record: Record, status: str) -> None:
        """An interaction has come to that status: once for each webhook that wants to hear of it."""
        now = self._clock.now()
        happened = event_of(record, status, now)
        if happened is None:
            return
        config = record.body.get("webhook_config") or {}
        for address in config.get("uris") or ():
            self._add(f"{record.id} {happened['type']}", address, "", happened, config.get("user_metadata"))
        for hook in self._registry.all():
            if hook["state"] == "enabled" and happened["type"] in hook["subscribed_events"]:
                self._add(f"{record.id} {happened['type']}", hook["uri"], hook["id"], happened, None)

    def ping(self, hook: dict[str, Any]) -> None:
        """Send a webhook of the project something, so that its owner sees that it arrives."""
        now = self._clock.now()
        self._add(f"ping {now.isoformat()}", hook["uri"], hook["id"], event("ping", now, {}), None)

    def _add(self, about: str, address: str, hook: str, happened: dict[str, Any], metadata: Any) -> None:
        now = self._clock.now()
        body, more = json.dumps(happened, separators=(",", ":")), json.dumps(metadata)
        with self._db.write() as connection:
            done = connection.execute(
                "INSERT OR IGNORE INTO webhook_deliveries (about, address, hook, body, metadata, created, due)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (about, address, hook, body, more, now.isoformat(), now.isoformat()),
            )
            number = done.lastrowid if done.rowcount == 1 else None
        if number is None:
            return
        met = self._outside.fault()
        if met.drop:
            self._state(number, "lost")
            return
        for _ in range(1 + met.copies):
            self._later(number, now + timedelta(seconds=met.delay_seconds), "WHERE TRUE")

    def _later(self, number: int, due: datetime, where: str) -> None:
        """Send it then, if it is still one of those."""
        seconds = max(0.0, (due - self._clock.now()).total_seconds())
        name = f"webhook {number}"
        if seconds:
            self._clock.call_later(seconds, lambda: self._send(number, where), name)
        else:
            self._clock.spawn(lambda: self._send(number, where), name)

    def _send(self, number: int, where: str) -> None:
        with suppress(ApiError):  # the part closes: it goes on at the next start
            self._attempt(number, where)

    def _attempt(self, number: int, where: str) -> None:
        row = next(self._rows(f"{where} AND n = ?", number), None)
        if row is None:
            return
        status = self._post(row)
        if 200 <= status < 300:
            self._state(number, "delivered")
            return
        now = self._clock.now()
        due = now + timedelta(seconds=min(FIRST_SECONDS * 2**row.attempts, MOST_SECONDS))
        if due - row.created > LIFETIME:
            self._state(number, "given up")
            return
        with self._db.write() as connection:
            connection.execute(
                "UPDATE webhook_deliveries SET attempts = attempts + 1, due = ? WHERE n = ? AND state = 'waiting'",
                (due.isoformat(), number),
            )
        self._later(number, due, _WAITING)

    def _post(self, row: _Row) -> int:
        """One attempt, signed as of now; 0 also where the webhook is gone meanwhile."""
        now = self._clock.now()
        timestamp = int(now.timestamp())
        if row.hook:
            try:
                signature = signing.by_secrets(
                    self._registry.secrets_of(row.hook, now), row.identity, timestamp, row.body
                )
            except ApiError as error:
                if error.code == 404:
                    return 0
                raise
        else:
            signature = signing.by_token(self.key, row.address, row.identity, timestamp, row.body, row.metadata)
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "Google-Gemini-Webhooks",
            "webhook-id": row.identity,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": signature,
        }
        return self._outside.post(row.address, headers, row.body)

    def _state(self, number: int, state: str) -> None:
        with self._db.write() as connection:
            connection.execute(
                "UPDATE webhook_deliveries SET state = ?, attempts = attempts + 1 WHERE n = ?", (state, number)
            )

    def deliveries(self) -> list[dict[str, Any]]:
        """Every webhook so far: what it is about, where to, how often it was tried, and its state."""
        query = "SELECT about, address, hook, attempts, state FROM webhook_deliveries ORDER BY n"
        names = ("about", "address", "hook", "attempts", "state")
        return [dict(zip(names, row, strict=True)) for row in self._db.rows(query)]

    def _rows(self, where: str, *values: Any) -> Iterator[_Row]:
        query = f"SELECT n, address, hook, body, metadata, created, due, attempts FROM webhook_deliveries {where}"
        for n, address, hook, body, metadata, created, due, attempts in self._db.rows(query, *values):
            created, due = datetime.fromisoformat(created), datetime.fromisoformat(due)
            yield _Row(n, address, hook, body.encode(), json.loads(metadata), created, due, attempts)
