"""What the product's transport finds under the name `threading`: timers and events of the hub instead of threads."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from infra.sim.hub import Hub, Task

Blocked = dict[Task, Callable[[], None]]
"""Who waits for an answer that never comes, and what wakes it."""


def threads(hub: Hub, blocked: Blocked) -> Any:
    """As much of the module `threading` as the transport uses."""

    def timer(seconds: float, function: Callable[..., None], args: list[Any]) -> Any:
        return _Timer(hub, blocked, seconds, lambda: function(*args))

    return SimpleNamespace(Timer=timer, Event=lambda: _Event(hub), Lock=threading.Lock)


class _Timer:
    """threading.Timer; when it fires, whoever started it and is blocked looks around."""

    daemon = True

    def __init__(self, hub: Hub, blocked: Blocked, seconds: float, act: Callable[[], None]) -> None:
        self._hub, self._blocked, self._seconds, self._act = hub, blocked, seconds, act

    def start(self) -> None:
        task = self._hub.current

        def fire() -> None:
            self._act()
            if task is not None and task in self._blocked:
                self._blocked.pop(task)()

        self._timer = self._hub.at(self._seconds, fire, "deadline of an exchange")

    def cancel(self) -> None:
        self._timer.cancel()


class _Event:
    """threading.Event; waiting for it is a seam."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._set = False
        self._wakes: list[Callable[[], None]] = []

    def set(self) -> None:
        self._set = True
        wakes, self._wakes = self._wakes, []
        for wake in wakes:
            wake()

    def wait(self, seconds: float) -> bool:
        if not self._set:
            wake = self._hub.waker()
            self._wakes.append(wake)
            self._hub.at(seconds, wake, "end of a pause")
            self._hub.wait()
        return self._set
