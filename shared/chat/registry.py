"""The workers of this process, so that a cancel that arrives here reaches them at once. Holds no fact of its own."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from shared.chat.holding import Held, Key


class Workers:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[Key, Held] = {}

    @contextmanager
    def working(self, held: Held) -> Iterator[None]:
        """While inside, `cut` and `writing` know of it; at the end the hold is over."""
        with self._lock:
            self._held[held.key] = held
        try:
            yield
        finally:
            held.over.set()
            with self._lock:
                if self._held.get(held.key) is held:
                    del self._held[held.key]

    def cut(self, key: Key) -> None:
        """Stop the worker of that turn, if it is here."""
        held = self._find(key)
        if held is not None:
            held.cut.cut("lost")

    def writing(self, key: Key) -> tuple[int, str]:
        """The answer being written here: its number and its text so far; (0, "") without one."""
        held = self._find(key)
        return held.writing if held is not None else (0, "")

    def _find(self, key: Key) -> Held | None:
        with self._lock:
            return self._held.get(key)
