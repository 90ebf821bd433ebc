"""The product's seams under a test's control."""

from __future__ import annotations

import itertools
from datetime import datetime, timedelta, timezone


class FakeClock:
    """Time that passes only while someone sleeps; what was slept is kept in `slept`."""

    def __init__(self, start: datetime = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)) -> None:
        self._now, self.slept = start, list[float]()

    def now(self) -> datetime:
        return self._now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.advance(seconds)

    def advance(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)


class CountingIds:
    """id-1, id-2, …"""

    def __init__(self, prefix: str = "id") -> None:
        self._prefix, self._count = prefix, itertools.count(1)

    def fresh(self) -> str:
        return f"{self._prefix}-{next(self._count)}"
