"""A meter that tells apart which request to a function used what, and whether it met a cold instance."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from infra.local.meter import Meter

COLD_AFTER = timedelta(minutes=15)
"""Cloud Run keeps an instance without work for so long at most; a request after that starts another."""
ROUND_TRIPS = frozenset(
    {("firestore", "document_reads"), ("firestore", "document_writes"), ("pubsub", "publish_bytes")}
)
"""Units that are counted once by call: each time one rises, the function has waited for a service."""


@dataclass
class Kind:
    """All requests of one kind, such as "research/poll"; `waited` by the cloud's clock, `own` by the machine's."""

    count: int = 0
    cold: int = 0
    waited: float = 0.0
    round_trips: int = 0
    units: Counter[str] = field(default_factory=Counter)
    own: list[float] = field(default_factory=list)


@dataclass
class _Request:
    function: str
    kind: str
    cold: bool
    began: datetime
    round_trips: int = 0
    own: float = 0.0
    units: Counter[str] = field(default_factory=Counter)


def kind_of(function: str, path: str) -> str:
    """ "research/poll" for a verb; for a public function its resource: "api notes", "api operations events"."""
    parts = path.partition("?")[0].strip("/").split("/")[1:]
    if parts[:2] != ["api", "v1"]:
        return f"{function}/{parts[0]}" if parts and parts[0] else function
    last = f" {parts[-1]}" if parts[-1] in ("events", "messages") and len(parts) > 3 else ""
    return f"{function} {parts[2]}{last}"


class Recorder(Meter):
    """`ticks` is the machine's time in seconds, `now` the cloud's.

    What is counted belongs to the request that began last among those under way: on a serial clock that is whoever
    works; a request that waits has given way to it.
    """

    def __init__(self, now: Callable[[], datetime], ticks: Callable[[], float]) -> None:
        super().__init__()
        self._now, self._ticks = now, ticks
        self._guard = threading.Lock()
        self._open: dict[int, _Request] = {}
        self._number = 0
        self._last_end: dict[str, datetime] = {}
        self._last_tick = 0.0
        self.kinds: dict[str, Kind] = {}

    def add(self, service: str, unit: str, amount: float = 1) -> None:
        super().add(service, unit, amount)
        with self._guard:
            request = self._top()
            if request is not None and service != "functions":
                request.units[f"{service}.{unit}"] += amount  # type: ignore[assignment]
                request.round_trips += (service, unit) in ROUND_TRIPS

    def began(self, function: str, path: str) -> int:
        now = self._now()
        with self._guard:
            self._tick()
            last = self._last_end.get(function)
            cold = last is None or now - last > COLD_AFTER
            self._number += 1
            self._open[self._number] = _Request(function, kind_of(function, path), cold, now)
            return self._number

    def ended(self, request: int, seconds: float) -> None:
        with self._guard:
            self._tick()
            ended = self._open.pop(request)
            self._last_end[ended.function] = ended.began + timedelta(seconds=seconds)
            kind = self.kinds.setdefault(ended.kind, Kind())
            kind.count += 1
            kind.cold += ended.cold
            kind.waited += seconds
            kind.round_trips += ended.round_trips
            kind.units.update(ended.units)
            kind.own.append(ended.own)

    def clear(self) -> None:
        """Begin to count anew; which instances are warm stays."""
        super().clear()
        with self._guard:
            self.kinds = {}

    def _top(self) -> _Request | None:
        return self._open[max(self._open)] if self._open else None

    def _tick(self) -> None:
        """The machine's time since the last look goes to whoever worked."""
        tick = self._ticks()
        if (request := self._top()) is not None:
            request.own += tick - self._last_tick
        self._last_tick = tick
