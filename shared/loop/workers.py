"""The workers of this process, so that a cancel that arrives here reaches them at once. Holds no fact of its own."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from shared.loop.seat import Seat, Writing


class Workers:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[Hashable, Seat] = {}

    @contextmanager
    def working(self, key: Hashable, seat: Seat) -> Iterator[None]:
        """While inside, `cut` and `writing` know of it; at the end the hold is over."""
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
        seat = self._find(key)
        if seat is not None:
            seat.cut.cut("lost")

    def writing(self, key: Hashable) -> Writing:
        """The answer being written here."""
        seat = self._find(key)
        return seat.writing if seat is not None else Writing()

    def _find(self, key: Hashable) -> Seat | None:
        with self._lock:
            return self._held.get(key)
