"""The platform's database behind a gate: requests come on a thread each and may still be running when it closes."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from infra.local.aiplatform.errors import ApiError
from infra.local.database import Database


class Storage:
    """Reads and writes on one connection, one at a time.

    A connection for each reading thread would stay open long after the request's thread has gone, and closing it under
    a reader would end the process. After `close`, every use raises ApiError 503.
    """

    def __init__(self, path: Path, schema: str) -> None:
        self._db = Database(path, schema)
        self._gate = threading.RLock()
        self._closed = False

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction. Not re-entrant."""
        with self._gate:
            if self._closed:
                raise ApiError(503, "The local cloud is closing.")
            with self._db.write() as connection:
                yield connection

    def rows(self, query: str, *values: Any) -> list[Any]:
        """All rows of a SELECT."""
        with self.write() as connection:
            return connection.execute(query, values).fetchall()

    def close(self) -> None:
        with self._gate:
            self._closed = True
            self._db.close()
