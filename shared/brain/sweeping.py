"""Jobs whose worker was not heard of again: that was an attempt that failed; with none left the job is cancelled."""

from __future__ import annotations

import logging

from shared.brain.finishing import Finishing, Spent
from shared.brain.ports import Ports
from shared.contracts.jobs import JobStatus
from shared.contracts.operations import Failure
from shared.errors import MemexError
from shared.store.memory_jobs import HeldJob, JobChange

log = logging.getLogger(__name__)

SWEPT_AT_ONCE = 50
LOST = Failure(code="lost", message="Its worker was not heard of for twice the time that its agent may take.")


class Sweeping:
    def __init__(self, ports: Ports) -> None:
        self._ports, self._finishing = ports, Finishing(ports)

    def sweep(self, workspace: str) -> int:
        """Give the lost jobs of one workspace back to the queue, or end them: how many. Raises Transient."""
        lost = self._ports.store(workspace).memory_jobs.lost(self._ports.now(), SWEPT_AT_ONCE)
        return sum(self._guarded(workspace, one.job.id) for one in lost)

    def job(self, workspace: str, job_id: str) -> bool:
        """The same for one job, unless it is no longer lost; whether it was. Raises NotFound, Malformed, Transient."""
        jobs = self._ports.store(workspace).memory_jobs
        job = jobs.get(job_id)

        def decide(held: HeldJob) -> JobChange | None:
            until = held.job.locked_until
            if held.job.status is not JobStatus.RUNNING or until is None or until > held.read_time:
                return None
            if held.job.fence != job.fence:
                return None  # another attempt, of which others are told
            return self._finishing.failure(held.job, LOST, Spent(model=""), JobStatus.CANCELLED)

        stream = self._finishing.last_stream(job)
        return jobs.change(job_id, decide, point="brain.sweep", stream=stream).changed

    def _guarded(self, workspace: str, job_id: str) -> bool:
        """One job that cannot be swept keeps no other from it."""
        try:
            return self.job(workspace, job_id)
        except MemexError as error:
            log.warning("job %s/%s: %s", workspace, job_id, error.message)
            return False
