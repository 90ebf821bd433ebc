"""The writers of one process that are after the same run's document: one after the other.

Each of them reads the document, decides, and commits if nobody wrote meanwhile; side by side all but one would have to
begin again, and wait before. This holds no fact: those of other processes are met by the commit's precondition.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from shared.runs.ports import Key

_PATIENCE_SECONDS = 1.0
"""Then a writer goes ahead: at worst it has to begin again."""


class Queue:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[Key, threading.Lock] = {}
        self._wanted: dict[Key, int] = {}

    @contextmanager
    def turn(self, key: Key) -> Iterator[None]:
        """While inside, the others of this process who are after the run's document wait."""
        with self._lock:
            mine = self._held.setdefault(key, threading.Lock())
            self._wanted[key] = self._wanted.get(key, 0) + 1
        taken = mine.acquire(timeout=_PATIENCE_SECONDS)
        try:
            yield
        finally:
            if taken:
                mine.release()
            with self._lock:
                self._wanted[key] -= 1
                if not self._wanted[key]:
                    del self._wanted[key], self._held[key]
