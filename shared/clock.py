"""The product's clock: nothing else may read the time or sleep."""

from __future__ import annotations

import time
from datetime import datetime, timezone
from typing import Protocol


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
