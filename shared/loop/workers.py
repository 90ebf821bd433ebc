"""The workers of this process, so that a cancel that arrives here reaches them at once. Holds no fact of its own."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from shared.loop.seat import Seat


class Workers:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[Hashable, Seat] = {}

    @contextmanager
    def working(self, key: Hashable, seat: Seat) -> Iterator[None]:
        """While inside, `cut` and `find` know of it; at the end the hold is over."""
        with self._lock:
            self._held[key] = seat
        try:
            yield
        finally:
            seat.over.set()
            with self._lock:
                if self._held.get(key) is seat:
                    del self._held[key]

    def cut(self, key: Hashable) -> None:
        """Stop the worker on that piece of work, if it is here."""
        seat = self.find(key)
        if seat is not None:
            seat.cut.cut("lost")

    def find(self, key: Hashable) -> Seat | None:
        """The hold of the worker here."""
        with self._lock:
            return self._held.get(key)
