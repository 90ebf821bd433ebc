"""The product's clock, which alone may read the time or sleep, and its threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import datetime, timezone
from typing import Protocol

Spawn = Callable[[Callable[[], None], str], None]
"""Runs a task of that name beside the caller."""


class Clock(Protocol):
    """The time and the only way to wait; the local cloud's clocks satisfy it too."""

    def now(self) -> datetime:
        """The current time, aware, in UTC."""

    def sleep(self, seconds: float) -> None:
        """Block the caller for that long."""


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(timezone.utc)

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


def in_thread(task: Callable[[], None], name: str) -> None:
    """Run it beside the caller. Such a thread never keeps a process from ending: what it does is journalled."""
    threading.Thread(target=task, name=name, daemon=True).start()
