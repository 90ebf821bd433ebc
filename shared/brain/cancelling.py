"""Cancelling: the job has ended; whoever works on it is stopped, and what comes of it all the same is refused."""

from __future__ import annotations

from shared.brain.ports import Ports
from shared.contracts.brain_api import JobChangeAnswer
from shared.contracts.jobs import JobEvent, JobStatus
from shared.contracts.operations import Failure
from shared.store.brain_counts import Tally
from shared.store.memory_jobs import HeldJob, JobChange, releasing
from shared.store.streams import EventDraft

CANCELLED = Failure(code="cancelled", message="It was cancelled; retry it to bring it back.")


class Cancelling:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    def cancel(self, workspace: str, job_id: str) -> JobChangeAnswer:
        """The job, and a sentence on what was done; a no-op when it has ended. Raises NotFound, Transient."""
        jobs = self._ports.store(workspace).memory_jobs

        def decide(held: HeldJob) -> JobChange | None:
            job, now = held.job, self._ports.now()
            if job.status.terminal:
                return None
            ended = {"status": JobStatus.CANCELLED.value, "finished_at": now, "updated_at": now}
            fields = {**ended, "error": CANCELLED.model_dump(), "locked_at": None, "locked_until": None}
            tally = Tally(job.id).moved(job.kind, job.status, JobStatus.CANCELLED)
            told = {"job_id": job.id, "attempts": job.attempts, "code": CANCELLED.code, "message": CANCELLED.message}
            return JobChange(fields, (*releasing(job), tally.write()), (EventDraft(JobEvent.CANCELLED, told),))

        kind = jobs.get(job_id).kind
        changed = jobs.change(job_id, decide, point="brain.cancel", stream=kind)
        if not changed.changed:
            message = f"Nothing was done: the job has ended already ({changed.job.status.value})."
        elif changed.job.children:
            waiting = len(changed.job.children)
            message = f"The job was cancelled. Jobs of its batch wait for it ({waiting}): retry it, or cancel them too."
        else:
            message = "The job was cancelled."
        return JobChangeAnswer(job=changed.job, changed=changed.changed, message=message)
