"""The hub as the clock of the local cloud and of the product, and the clock of an instance, which may be wrong."""

from __future__ import annotations

from datetime import datetime, timedelta

from infra.local.clock import Task, Timer
from infra.sim.hub import Hub


class SimClock:
    """`infra.local.clock.Clock` on a hub: what it starts belongs to the cloud and never crashes."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def now(self) -> datetime:
        return self._hub.now()

    def sleep(self, seconds: float) -> None:
        self._hub.sleep(seconds)

    def call_later(self, seconds: float, task: Task, name: str) -> Timer:
        return self._hub.at(seconds, lambda: self.spawn(task, name), name)

    def spawn(self, task: Task, name: str) -> None:
        self._hub.spawn(task, name)

    def close(self) -> None:
        """Nothing of its own to close: the hub ends with the world."""


class InstanceClock:
    """The clock of one instance: `skew` seconds before (or behind) the cloud's."""

    def __init__(self, hub: Hub, skew: float) -> None:
        self._hub, self._skew = hub, timedelta(seconds=skew)

    def now(self) -> datetime:
        return self._hub.now() + self._skew

    def sleep(self, seconds: float) -> None:
        self._hub.sleep(seconds)
