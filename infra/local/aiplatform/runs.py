"""The life of a run: accepted, followed by timers, cancelled or ended, and booked once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from infra.local.aiplatform.errors import ApiError, invalid
from infra.local.aiplatform.frames import frames_of
from infra.local.aiplatform.plan import CLOSING, Plan
from infra.local.aiplatform.pulse import Pulse
from infra.local.aiplatform.record import Record
from infra.local.aiplatform.store import InteractionStore
from infra.local.clock import Clock
from infra.local.meter import Meter

_SERVICE = "aiplatform"


class Runs:
    """Every interaction of the platform. Progress is computed from the clock; timers only wake those who wait."""

    def __init__(self, store: InteractionStore, clock: Clock, meter: Meter) -> None:
        self.pulse = Pulse()
        self.clock = clock
        self.ended: Callable[[Record, str], None] = lambda _record, _status: None
        """Hears of each run that has ended or waits for its caller, with the status; of some more than once."""
        self._store, self._meter = store, meter
        self._lock = threading.Lock()  # a reader never sees a time before a cancel that is stored after it

    def start(self) -> None:
        """Follow the runs that were under way when the store was last closed."""
        for record in self._store.unsettled():
            self._follow(record.id)

    def close(self) -> None:
        self.pulse.close()

    def go_on(self, gate: str) -> None:
        """Follow the runs that stood still at a gate, which is open now."""
        for record in self._store.unsettled():
            if record.plan.hold is not None and record.plan.hold[1] == gate:
                self._follow(record.id)
        self.pulse.beat()

    def accept(self, body: Mapping[str, Any], plan: Plan) -> Record:
        record = self._store.create(self.clock.now(), body, plan)
        if "agent" in body:
            self._meter.add(_SERVICE, "deep_research_runs")
        self._follow(record.id)
        return record

    def look(self, identity: str) -> tuple[Record, float]:
        """The run and how many seconds it is old. Raises ApiError 404."""
        with self._lock:
            record = self._store.get(identity)
            now = self.clock.now()
        if record is None:
            raise ApiError(404, f"Interaction {identity!r} was not found.")
        return record, record.elapsed(now)

    def cancel(self, identity: str) -> tuple[Record, float]:
        """End a running background interaction. Raises ApiError 404, 400 when it runs no more."""
        with self._lock:
            record = self._store.get(identity)
            if record is None:
                raise ApiError(404, f"Interaction {identity!r} was not found.")
            elapsed = record.elapsed(self.clock.now())
            if not record.running(elapsed) or not record.body.get("background"):
                status = record.status(elapsed)
                raise invalid(f"Only running background interactions can be cancelled; this one is {status}.")
            self._store.cancel(identity, elapsed)
        self._settle(record.cancelled(elapsed), elapsed)
        self.pulse.beat()
        return record.cancelled(elapsed), elapsed

    def delete(self, identity: str) -> None:
        """Forget an interaction; what it used is booked all the same. Raises ApiError 404."""
        record, elapsed = self.look(identity)
        self._settle(record, elapsed)
        self._store.delete(identity)
        self.pulse.beat()

    def _follow(self, identity: str) -> None:
        """Book the run when it has ended, come again when its next event is due, and wake who waits."""
        with suppress(ApiError):  # deleted, or the part has closed: nothing is left to follow
            self._advance(*self.look(identity))
        self.pulse.beat()

    def _advance(self, record: Record, elapsed: float) -> None:
        later = [frame.at for frame in frames_of(record) if frame.at > elapsed]
        if later:
            if record.shut and elapsed >= (record.plan.hold or (0.0, ""))[0]:
                return  # whoever opens the gate follows it
            wait = min(later) - elapsed + 1e-6
            self.clock.call_later(wait, lambda: self._follow(record.id), f"interaction {record.id}")
        elif not record.running(elapsed):
            self._settle(record, elapsed)
        elif record.status(elapsed) in CLOSING:
            self.ended(record, record.status(elapsed))

    def _settle(self, record: Record, elapsed: float) -> None:
        if not record.running(elapsed):
            self.ended(record, record.status(elapsed))  # first: of a process that dies in between the next one tells
        if not self._store.settle(record.id):
            return
        usage = record.usage(elapsed)
        self._meter.add(_SERVICE, "input_tokens", usage["total_input_tokens"])
        made = ("total_output_tokens", "total_thought_tokens", "total_tool_use_tokens")
        self._meter.add(_SERVICE, "output_tokens", sum(usage[name] for name in made))
        for tool in usage.get("grounding_tool_count", ()):
            self._meter.add(_SERVICE, "grounding_searches", tool["count"])
