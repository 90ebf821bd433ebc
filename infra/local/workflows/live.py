"""An execution that is under way in this process."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from infra.local.clock import Clock, Timer
from infra.local.meter import Meter
from infra.local.workflows.machine.machine import Machine
from infra.local.workflows.ports import NewId
from infra.local.workflows.store import Revision
from infra.local.workflows.values import Value, payload

log = logging.getLogger(__name__)
_LEVELS = {"WARNING": logging.WARNING, "ERROR": logging.ERROR, "DEBUG": logging.DEBUG}


@dataclass
class Live:
    """The machine of an execution, and what this process has set going for it. Guarded by `lock`."""

    id: str
    machine: Machine
    revision: Revision
    lock: threading.Lock = field(default_factory=threading.Lock)
    timers: dict[int, Timer] = field(default_factory=dict)
    armed: set[int] = field(default_factory=set)
    stopped: bool = False

    def stop(self) -> None:
        """No more transitions; sleeping threads are never woken."""
        self.stopped = True
        for timer in self.timers.values():
            timer.cancel()
        self.timers.clear()


@dataclass(frozen=True)
class ExecutionWorld:
    """The `World` of one execution's machine."""

    execution: str
    clock: Clock
    meter: Meter
    make_id: NewId
    callback_address: Callable[[str], str]

    def now(self) -> datetime:
        return self.clock.now()

    def new_id(self) -> str:
        return self.make_id()

    def log(self, severity: str, content: Value) -> None:
        text = content if isinstance(content, str) else payload(content)
        log.log(_LEVELS.get(severity, logging.INFO), "execution %s: %s %s", self.execution, severity, text)

    def callback_url(self, callback: str) -> str:
        return self.callback_address(callback)

    def count_step(self, internal: bool) -> None:
        self.meter.add("workflows", "internal_steps" if internal else "external_steps")
