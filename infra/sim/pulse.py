"""What the research service's open streams wait on."""

from __future__ import annotations

from collections.abc import Callable

from infra.sim.hub import Hub


class SimPulse:
    """`infra.local.aiplatform.pulse.Pulse` on a hub."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._waiting: list[Callable[[], None]] = []
        self.beats = 0
        self.closed = False

    def beat(self) -> None:
        self.beats += 1
        waiting, self._waiting = self._waiting, []
        for wake in waiting:
            wake()

    def wait(self, beats: int) -> None:
        while self.beats == beats and not self.closed:
            self._waiting.append(self._hub.waker())
            self._hub.wait()

    def close(self) -> None:
        self.closed = True
        self.beat()
