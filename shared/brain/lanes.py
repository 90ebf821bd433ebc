"""The lanes at work in this process: who works on which job, until when; one look-out for each lane.

A worker ends when the time of its job is up, and when the job is no longer its own: cancelled, or taken for lost.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from shared.brain.claiming import Claim
from shared.brain.ports import Ports
from shared.contracts.jobs import JobStatus
from shared.errors import MemexError
from shared.gateway.transport import Cut

LOOK_SECONDS = 0.5
_OWNED = timedelta(seconds=2)
"""How often it is looked up whether the job is still the worker's."""


@dataclass
class Seat:
    """A worker's hold on one job."""

    claim: Claim
    until: datetime
    cut: Cut = field(default_factory=Cut)


@dataclass
class Lane:
    """One that takes jobs one after the other; `over` when it takes no more."""

    seat: Seat | None = None
    over: threading.Event = field(default_factory=threading.Event)


class Lanes:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._lock = threading.Lock()
        self._lanes: list[Lane] = []

    @contextmanager
    def lane(self) -> Iterator[Lane]:
        """A lane of this process, looked after while inside."""
        lane = Lane()
        with self._lock:
            self._lanes.append(lane)
        self._ports.spawn(lambda: self._watch(lane), "watch a lane of the brain")
        try:
            yield lane
        finally:
            lane.over.set()
            with self._lock:
                self._lanes.remove(lane)

    @contextmanager
    def working(self, lane: Lane, claim: Claim, timeout_seconds: float) -> Iterator[Cut]:
        """The lane works on the job; the handle is cut at its end of time, or when the job is lost."""
        seat = Seat(claim, self._ports.now() + timedelta(seconds=timeout_seconds))
        lane.seat = seat
        try:
            yield seat.cut
        finally:
            lane.seat = None

    def busy(self, workspace: str) -> bool:
        """Whether a lane here works on a job of that workspace."""
        return any(seat.claim.workspace == workspace for seat in self._seats())

    def cut(self, workspace: str, job_id: str) -> None:
        """Stop the worker on that job, if it is here."""
        for seat in self._seats():
            if (seat.claim.workspace, seat.claim.job.id) == (workspace, job_id):
                seat.cut.cut("lost")

    def _seats(self) -> list[Seat]:
        with self._lock:
            return [lane.seat for lane in self._lanes if lane.seat is not None]

    def _watch(self, lane: Lane) -> None:
        """Runs beside the lane, until it is over."""
        looked_at = self._ports.now()
        while not lane.over.is_set():
            self._ports.clock.sleep(LOOK_SECONDS)
            seat, now = lane.seat, self._ports.now()
            if seat is None or seat.cut.reason:
                continue
            if now >= seat.until:
                seat.cut.cut("deadline")
            elif now - looked_at >= _OWNED:
                looked_at = now
                if self._lost(seat.claim):
                    seat.cut.cut("lost")

    def _lost(self, claim: Claim) -> bool:
        try:
            held = self._ports.store(claim.workspace).memory_jobs.read(claim.job.id)
        except MemexError:  # nobody can be asked: its commit will be refused, should it be another's
            return False
        return held is None or held.job.status is not JobStatus.RUNNING or held.job.fence != claim.job.fence
