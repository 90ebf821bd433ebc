"""Claiming: the next job that is due, by priority, then by time, in one commit on the state in which it was seen."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.brain.agent import BrainAgent
from shared.brain.ports import Ports
from shared.contracts.jobs import JobStatus, MemoryJob
from shared.store.brain_counts import Tally
from shared.store.memory_jobs import HeldJob, JobChange, MemoryJobs

SEEN_AT_ONCE = 12
SEEN_FOR = timedelta(seconds=2)
"""So long what was seen of the queue is claimed from; then a job of a higher priority is seen too."""
_UNKNOWN_SECONDS = 60.0
"""How long a job of an agent that is none any more may be worked on: to fail it."""
LOCK_FACTOR = 2.0


@dataclass(frozen=True)
class Claim:
    """A job of which the caller is the worker, as long as the job's fence is the one that is in it."""

    workspace: str
    job: MemoryJob


@dataclass
class _Seen:
    """The head of one workspace's queue, as the lanes of this process share it."""

    at: datetime
    jobs: deque[HeldJob]


class Claiming:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._lock = threading.Lock()
        self._seen: dict[str, _Seen] = {}

    def next(self, workspace: str) -> Claim | None:
        """The next job, claimed; None when none is due. Raises Transient."""
        jobs = self._ports.store(workspace).memory_jobs
        while (held := self._pop(workspace, jobs)) is not None:
            claim = self._claim(workspace, jobs, held)
            if claim is not None:
                return claim
        return None

    def _pop(self, workspace: str, jobs: MemoryJobs) -> HeldJob | None:
        now = self._ports.now()
        with self._lock:
            seen = self._seen.get(workspace)
            if seen is not None and seen.jobs and now - seen.at < SEEN_FOR:
                return seen.jobs.popleft()
        found = deque(jobs.due(now, SEEN_AT_ONCE))
        if not found:
            return None
        first = found.popleft()
        with self._lock:
            self._seen[workspace] = _Seen(now, found)
        return first

    def _claim(self, workspace: str, jobs: MemoryJobs, held: HeldJob) -> Claim | None:
        """The job is taken as it was seen: if anyone wrote it since, another is taken."""
        job, now = held.job, self._ports.now()
        lock = timedelta(seconds=LOCK_FACTOR * seconds_for(self._ports.agents(), job.kind))
        fields = {
            "status": JobStatus.RUNNING.value,
            "fence": job.fence + 1,
            "worker": self._ports.ids.fresh(),
            "locked_at": held.read_time,
            "locked_until": max(held.read_time, now) + lock,
            "updated_at": now,
        }
        tally = Tally(job.id).moved(job.kind, job.status, JobStatus.RUNNING)
        if not jobs.claim(held, JobChange(fields, (tally.write(),))):
            return None
        return Claim(workspace, MemoryJob.model_validate({**job.model_dump(), **fields}))


def seconds_for(agents: Mapping[str, BrainAgent], kind: str) -> float:
    """How long an attempt at a job of that kind may take."""
    agent = agents.get(kind)
    return agent.timeout_ms / 1000 if agent is not None else _UNKNOWN_SECONDS
