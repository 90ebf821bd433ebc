"""What workflows/brain.yaml asks for: take the queue over, work in lanes, and look when something is due again.

A drain ends only when nothing will come due by itself and the queue's generation has not moved since before it looked;
and it looks once more after its lease is given back, since whoever enqueued before that has seen a living drain.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from shared.brain.claiming import Claim, Claiming
from shared.brain.lanes import Lanes
from shared.brain.launching import Launching, held
from shared.brain.ports import Ports
from shared.brain.sweeping import Sweeping
from shared.brain.working import Working
from shared.contracts.brain_drain import (
    DrainAnswer,
    DrainFailRequest,
    DrainLaneAnswer,
    DrainLease,
    DrainRequest,
    DrainStartAnswer,
    DrainStartRequest,
)
from shared.operations.executions import same_execution

_LANES = (1, 2, 3, 4)
LANE_TIME = timedelta(seconds=50)
"""No further job is begun in a request after this."""
LEASE = timedelta(minutes=9)
RENEWED_AT = timedelta(minutes=7)
"""Of the lease that is left: longer than a request with the longest job, or a sleep."""
SLEEP_MOST_SECONDS = 60.0
_LOOK_SECONDS = 1.0
DRAIN_TIME = timedelta(hours=12)
"""After so long another execution takes over: one of them has a bounded number of steps."""


class Draining:
    def __init__(self, ports: Ports, launching: Launching, claiming: Claiming, working: Working) -> None:
        self._ports, self._launching = ports, launching
        self._claiming, self._working = claiming, working
        self.lanes = Lanes(ports)
        self._sweeping = Sweeping(ports)

    def start(self, request: DrainStartRequest) -> DrainStartAnswer:
        """Take the queue over for the calling execution. The same call again gives the same. Raises Transient."""
        may = self._launching.allowed(request.workspace) and not self._ports.paused(request.workspace)
        fence = self._take(request.workspace, request.execution) if may else None
        if fence is None:
            return DrainStartAnswer(status="superseded", fence=0)
        return DrainStartAnswer(status="running", fence=fence, lanes=_LANES)

    def run(self, request: DrainRequest) -> DrainLaneAnswer:
        """One lane: work on jobs that are due, one after the other, for most of a minute. Raises Transient."""
        if not _mine(self._renew(request), request):
            return DrainLaneAnswer(more=False)
        until = self._ports.now() + LANE_TIME
        with self.lanes.lane() as lane:
            while (claim := self._next(request.workspace)) is not None:
                with self.lanes.working(lane, claim, self._working.seconds(claim)) as cut:
                    self._working.work(claim, cut)
                if self._ports.now() >= until:
                    return DrainLaneAnswer(more=True)
        busy = self.lanes.busy(request.workspace) and not self._ports.paused(request.workspace)
        return DrainLaneAnswer(more=busy, wait_seconds=_LOOK_SECONDS if busy else 0.0)

    def _next(self, workspace: str) -> Claim | None:
        """A job to work on; none while spending is paused, whatever is due."""
        return None if self._ports.paused(workspace) else self._claiming.next(workspace)

    def next(self, request: DrainRequest) -> DrainAnswer:
        """When to go on, or that nothing is left: then the lease is given back. Raises Transient."""
        lease = self._renew(request)
        if not _mine(lease, request):
            given_back = lease.execution is None and lease.fence == request.fence
            # It was this call that gave it back, and its answer was lost: whether that was the end is still open.
            return self._ended(request) if given_back else DrainAnswer(status="superseded", fence=request.fence)
        if self._ports.paused(request.workspace):  # the sweep starts another drain once spending goes on
            self._released(request)
            return DrainAnswer(status="superseded", fence=request.fence)
        self._sweeping.sweep(request.workspace)
        generation, wait = self._look(request.workspace)
        if wait is not None:
            return self._going_on(request, lease, wait)
        self._released(request)
        return self._ended(request, generation)

    def _ended(self, request: DrainRequest, generation: int | None = None) -> DrainAnswer:
        """The lease is given back. If something has come since the queue was looked at it is taken again."""
        seen, wait = self._look(request.workspace)
        if wait is None and generation in (None, seen):
            return DrainAnswer(status="done", fence=request.fence)
        fence = self._take(request.workspace, request.execution)
        if fence is None:
            return DrainAnswer(status="superseded", fence=request.fence)
        return _running(fence, wait or 0.0)

    def fail(self, request: DrainFailRequest) -> DrainAnswer:
        """The execution can go on no further: its lease is given back, so that another is started. Raises Transient."""
        self._released(request)
        return DrainAnswer(status="superseded", fence=request.fence)

    def _look(self, workspace: str) -> tuple[int, float | None]:
        """The generation, and how many seconds until something is due; None: nothing will be by itself.

        The generation is read first: what comes after that has moved it.
        """
        store = self._ports.store(workspace)
        generation = store.brain_counts.read().generation
        times = [one for one in (store.memory_jobs.next_due(), store.memory_jobs.next_lost()) if one is not None]
        if not times:
            return generation, None
        return generation, max((min(times) - self._ports.now()).total_seconds(), 0.0)

    def _going_on(self, request: DrainRequest, lease: DrainLease, wait: float) -> DrainAnswer:
        if lease.started_at is None or self._ports.now() - lease.started_at < DRAIN_TIME:
            return _running(request.fence, wait)
        self._released(request)
        self._launching.ensure(request.workspace)
        return DrainAnswer(status="superseded", fence=request.fence)

    def _take(self, workspace: str, execution: str) -> int | None:
        """The number that the execution shows from then on; None while another one has the queue."""
        others: list[DrainLease] = []

        def decide(lease: DrainLease, now: datetime) -> DrainLease | None:
            others.clear()
            mine = same_execution(lease.execution, execution)
            if held(lease, now) and not mine:
                others.append(lease)
                return None
            if held(lease, now) and mine:
                return None
            taken = {"execution": execution, "fence": lease.fence + 1, "launch_expires_at": None}
            return lease.model_copy(update={**taken, "started_at": now, "expires_at": now + LEASE})

        lease = self._change(workspace, decide, "brain.take")
        return None if others else lease.fence

    def _renew(self, request: DrainRequest) -> DrainLease:
        """The lease; if it is still the caller's it is for a while, from then on."""

        def decide(lease: DrainLease, now: datetime) -> DrainLease | None:
            if not _mine(lease, request) or (lease.expires_at or now) - now > RENEWED_AT:
                return None
            return lease.model_copy(update={"expires_at": now + LEASE})

        return self._change(request.workspace, decide, "brain.renew")

    def _released(self, request: DrainRequest) -> None:
        def decide(lease: DrainLease, _now: datetime) -> DrainLease | None:
            if not _mine(lease, request):
                return None
            return lease.model_copy(update={"execution": None, "expires_at": None})

        self._change(request.workspace, decide, "brain.release")

    def _change(
        self, workspace: str, decide: Callable[[DrainLease, datetime], DrainLease | None], point: str
    ) -> DrainLease:
        return self._ports.store(workspace).brain_drain.change(decide, point=point)[0]


def _running(fence: int, wait: float) -> DrainAnswer:
    """Sleep until something is due and work on it; where that is long, sleep for as long as may be and look again."""
    if wait > SLEEP_MOST_SECONDS:
        return DrainAnswer(status="running", fence=fence, wait_seconds=SLEEP_MOST_SECONDS)
    return DrainAnswer(status="running", fence=fence, wait_seconds=wait, lanes=_LANES)


def _mine(lease: DrainLease, request: DrainRequest) -> bool:
    return lease.fence == request.fence and same_execution(lease.execution, request.execution)
