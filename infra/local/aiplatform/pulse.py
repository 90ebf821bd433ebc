"""The heartbeat on which open connections wait: it beats when a run moves on, and stops when the part closes."""

from __future__ import annotations

import threading

_LONGEST_WAIT = 60.0  # real seconds; a waiter looks again by itself after that


class Pulse:
    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._beats = 0
        self._closed = False

    @property
    def closed(self) -> bool:
        return self._closed

    @property
    def beats(self) -> int:
        """To be read before looking at the state, and given to `wait` after."""
        with self._condition:
            return self._beats

    def beat(self) -> None:
        with self._condition:
            self._beats += 1
            self._condition.notify_all()

    def wait(self, beats: int) -> None:
        """Return once there were more beats than `beats`, or the part closed, or a minute has passed."""
        with self._condition:
            self._condition.wait_for(lambda: self._closed or self._beats != beats, _LONGEST_WAIT)

    def close(self) -> None:
        with self._condition:
            self._closed = True
            self._condition.notify_all()
