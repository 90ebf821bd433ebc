"""Cron rows of the manifest on the clock: POST / with an empty JSON object."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from infra.local.clock import Clock, Timer
from infra.local.eventarc.lane import NotDelivered
from infra.local.meter import Meter
from shared.contracts.manifest import FunctionRow, ScheduleTrigger

log = logging.getLogger(__name__)
Post = Callable[[str, Mapping[str, str], bytes], int]
"""Calls a function by name with headers and a body; the HTTP status. Raises NotDelivered."""


@dataclass(frozen=True)
class Run:
    """The last call of a job: `status` is 0 when there was no answer."""

    at: datetime
    status: int


class SchedulerPart:
    """Calls each scheduled function when its cron expression (five fields, UTC) says so.

    A run that is still under way when the next is due makes that one be left out, as Cloud Scheduler does. A
    failed run is not tried again before its next time.
    """

    def __init__(self, rows: Sequence[FunctionRow], clock: Clock, meter: Meter, post: Post) -> None:
        self._jobs = {row.name: row.trigger for row in rows if isinstance(row.trigger, ScheduleTrigger)}
        self._clock, self._meter, self._post = clock, meter, post
        self._lock = threading.Lock()
        self._timers: dict[str, Timer] = {}
        self._running: set[str] = set()
        self._closed = False
        self.last: dict[str, Run] = {}

    def start(self) -> None:
        """Set the timers, off the caller's thread. A malformed cron expression is logged by the clock."""
        for name in self._jobs:
            self._clock.spawn(lambda name=name: self._arm(name), f"schedule {name}")  # type: ignore[misc]

    def run(self, name: str) -> int:
        """Call a job's function now; the HTTP status, 0 when there was no answer. Raises KeyError."""
        if name not in self._jobs:
            raise KeyError(name)
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "Google-Cloud-Scheduler",
            "X-CloudScheduler": "true",
            "X-CloudScheduler-JobName": name,
        }
        at = self._clock.now()
        try:
            status = self._post(name, headers, b"{}")
        except NotDelivered as error:
            log.warning("the scheduled call of %s failed: %s", name, error)
            status = 0
        self._meter.add("scheduler", "runs")
        self.last[name] = Run(at, status)
        return status

    def jobs(self) -> dict[str, str]:
        """The cron expression of each job, by its function's name."""
        return {name: trigger.cron for name, trigger in self._jobs.items()}

    def is_running(self, name: str) -> bool:
        """Whether a job's function is being called at this moment."""
        with self._lock:
            return name in self._running

    def run_soon(self, name: str) -> bool:
        """Call a job's function on a worker thread; False when it is running already. Raises KeyError."""
        if name not in self._jobs:
            raise KeyError(name)
        if not self._begin(name):
            return False
        self._clock.spawn(lambda: self._run_begun(name), f"run {name}")
        return True

    def next_run(self, name: str) -> datetime:
        """When a job is due next. Raises KeyError for a job there is not, ValueError for a malformed expression."""
        from croniter import croniter

        moment: datetime = croniter(self._jobs[name].cron, self._clock.now()).get_next(datetime)
        return moment

    def close(self) -> None:
        with self._lock:
            self._closed = True
            for timer in self._timers.values():
                timer.cancel()

    def _arm(self, name: str) -> None:
        wait = (self.next_run(name) - self._clock.now()).total_seconds()
        with self._lock:
            if not self._closed:
                self._timers[name] = self._clock.call_later(wait, lambda: self._fire(name), f"scheduled {name}")

    def _fire(self, name: str) -> None:
        self._arm(name)
        if self._begin(name):
            self._run_begun(name)
        else:
            log.warning("%s is still running; this run is left out", name)

    def _begin(self, name: str) -> bool:
        with self._lock:
            if name in self._running:
                return False
            self._running.add(name)
            return True

    def _run_begun(self, name: str) -> None:
        try:
            self.run(name)
        finally:
            with self._lock:
                self._running.discard(name)
