"""One timer that can be moved: a queue needs to be woken only for the next thing due."""

from __future__ import annotations

from datetime import datetime

from infra.local.clock import Clock, Task, Timer


class Alarm:
    """Calls `ring` on a clock worker at the time last set. Not thread-safe: the owner's lock guards it."""

    def __init__(self, clock: Clock, ring: Task, name: str) -> None:
        self._clock, self._ring, self._name = clock, ring, name
        self._timer: Timer | None = None
        self._due: datetime | None = None

    def set(self, due: datetime | None) -> None:
        """Ring at `due` and at no other time; None: not at all."""
        if due == self._due and self._timer:
            return
        if self._timer:
            self._timer.cancel()
            self._timer = None
        self._due = due
        if due is not None:
            wait = (due - self._clock.now()).total_seconds()
            self._timer = self._clock.call_later(wait, self._ring, self._name)

    def rang(self) -> None:
        """The timer has fired; the next `set` needs a new one."""
        self._timer = None
