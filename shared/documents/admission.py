"""How many files one instance takes in at a time: each may lie in its memory whole, more than once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from shared.errors import Transient

_AT_ONCE = 4
_BUSY_SECONDS = 20.0


class Admission:
    def __init__(self) -> None:
        self._free = threading.BoundedSemaphore(_AT_ONCE)

    @contextmanager
    def one(self) -> Iterator[None]:
        """While inside, a file is taken in. Raises Transient where others are for long."""
        if not self._free.acquire(timeout=_BUSY_SECONDS):
            raise Transient("Other files are just being taken in: try again.", retry_after_seconds=5.0)
        try:
            yield
        finally:
            self._free.release()
