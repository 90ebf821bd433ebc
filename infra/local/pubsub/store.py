"""What Pub/Sub keeps on disk: topics, subscriptions, messages, and who has yet to acknowledge which."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from google.pubsub_v1.types import PubsubMessage, Subscription, Topic

from infra.local.database import Database
from infra.local.pubsub.names import DELETED_TOPIC

_SCHEMA = """
CREATE TABLE IF NOT EXISTS topics (name TEXT PRIMARY KEY, config BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS subscriptions (name TEXT PRIMARY KEY, config BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS messages (id INTEGER PRIMARY KEY, body BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS deliveries (
    subscription TEXT NOT NULL, message INTEGER NOT NULL, failures INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (subscription, message)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS deliveries_by_message ON deliveries (message);
CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT OR IGNORE INTO counters VALUES ('message', 10000000000000000);
"""


class Store:
    """SQL for the broker. Methods that take a connection belong inside `write()`; the others only read."""

    def __init__(self, path: Path) -> None:
        self._database = Database(path, _SCHEMA)

    def write(self) -> AbstractContextManager[sqlite3.Connection]:
        return self._database.write()

    def close(self) -> None:
        self._database.close()

    def topics(self) -> list[Any]:
        return [Topic.pb().FromString(row[0]) for row in self._read("SELECT config FROM topics")]

    def subscriptions(self) -> list[Any]:
        return [Subscription.pb().FromString(row[0]) for row in self._read("SELECT config FROM subscriptions")]

    def pending(self, subscription: str) -> Iterator[tuple[int, int, Any]]:
        """(message id, failed deliveries, message) of all that is not acknowledged, oldest first."""
        query = """SELECT message, failures, body FROM deliveries JOIN messages ON messages.id = message
                   WHERE subscription = ? ORDER BY message"""
        for message, failures, body in self._read(query, subscription):
            yield message, failures, PubsubMessage.pb().FromString(body)

    def message(self, number: int) -> Any | None:
        """The message, or None when everybody has acknowledged it meanwhile."""
        row = self._read("SELECT body FROM messages WHERE id = ?", number).fetchone()
        return PubsubMessage.pb().FromString(row[0]) if row else None

    def _read(self, query: str, *values: Any) -> sqlite3.Cursor:
        return self._database.read().execute(query, values)

    @staticmethod
    def put_topic(db: sqlite3.Connection, topic: Any) -> None:
        db.execute("INSERT OR REPLACE INTO topics VALUES (?, ?)", (topic.name, topic.SerializeToString()))

    @staticmethod
    def put_subscription(db: sqlite3.Connection, config: Any) -> None:
        db.execute("INSERT OR REPLACE INTO subscriptions VALUES (?, ?)", (config.name, config.SerializeToString()))

    @staticmethod
    def delete_topic(db: sqlite3.Connection, name: str, orphans: Iterable[Any]) -> None:
        """Delete a topic and mark its subscriptions (`orphans`, changed in place) as production does."""
        db.execute("DELETE FROM topics WHERE name = ?", (name,))
        for config in orphans:
            config.topic = DELETED_TOPIC
            Store.put_subscription(db, config)

    @staticmethod
    def delete_subscription(db: sqlite3.Connection, name: str) -> None:
        messages = db.execute("SELECT message FROM deliveries WHERE subscription = ?", (name,)).fetchall()
        db.execute("DELETE FROM subscriptions WHERE name = ?", (name,))
        Store.settle(db, name, [row[0] for row in messages])

    @staticmethod
    def next_ids(db: sqlite3.Connection, count: int) -> range:
        """`count` message ids that were never given before."""
        query = "UPDATE counters SET value = value + ? WHERE name = 'message' RETURNING value"
        (last,) = db.execute(query, (count,)).fetchone()
        return range(last - count + 1, last + 1)

    @staticmethod
    def add(db: sqlite3.Connection, number: int, message: Any, subscriptions: Iterable[str]) -> None:
        """Keep a message for these subscriptions; with none of them there is nothing to keep."""
        rows = [(name, number) for name in subscriptions]
        if rows:
            db.execute("INSERT INTO messages VALUES (?, ?)", (number, message.SerializeToString()))
            db.executemany("INSERT INTO deliveries (subscription, message) VALUES (?, ?)", rows)

    @staticmethod
    def count_failure(db: sqlite3.Connection, subscription: str, number: int, failures: int) -> None:
        query = "UPDATE deliveries SET failures = ? WHERE subscription = ? AND message = ?"
        db.execute(query, (failures, subscription, number))

    @staticmethod
    def settle(db: sqlite3.Connection, subscription: str, numbers: Iterable[int]) -> None:
        """These messages need no more delivery to this subscription; what nobody waits for is dropped."""
        for number in numbers:
            db.execute("DELETE FROM deliveries WHERE subscription = ? AND message = ?", (subscription, number))
            db.execute(
                "DELETE FROM messages WHERE id = ? AND NOT EXISTS (SELECT 1 FROM deliveries WHERE message = ?)",
                (number, number),
            )
