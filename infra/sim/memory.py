"""The databases of a world, in memory: the cloud never crashes here, so nothing has to be on a disk."""

from __future__ import annotations

import sqlite3
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from infra.local import database


def kept_in_memory() -> AbstractContextManager[Any]:
    """Inside, whatever builds a Database gets one without a file, with one connection for its one thread."""
    return patch.object(database.Database, "_connect", _connect)


def _connect(self: database.Database) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode=MEMORY")
    connection.execute("PRAGMA synchronous=OFF")
    self._local.reader = database._Reader(connection)
    return connection
