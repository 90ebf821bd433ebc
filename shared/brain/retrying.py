"""Retrying: a job that failed or was cancelled is pending again, due now, with all its attempts; any other stays."""

from __future__ import annotations

from shared.brain.enqueueing import in_flight
from shared.brain.ports import Ports
from shared.contracts.brain_api import JobChangeAnswer
from shared.contracts.jobs import JobStatus, MemoryJob
from shared.store.brain_counts import Tally
from shared.store.memory_jobs import HeldJob, JobChange, MemoryJobs
from shared.store.writes import Write


class Retrying:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    def retry(self, workspace: str, job_id: str) -> JobChangeAnswer:
        """The job, and a sentence on what was done. Raises NotFound, Transient."""
        jobs = self._ports.store(workspace).memory_jobs
        why: list[str] = []

        def decide(held: HeldJob) -> JobChange | None:
            why.clear()
            job, now = held.job, self._ports.now()
            if job.status not in (JobStatus.FAILED, JobStatus.CANCELLED):
                why.append(
                    f"Nothing was done: the job is {job.status.value}; only failed or cancelled ones are retried."
                )
                return None
            key = self._key(jobs, job, why)
            if key is None:
                return None
            fields = {"status": JobStatus.PENDING.value, "attempts": 0, "run_after": now}
            tally = Tally(job.id).moved(job.kind, job.status, JobStatus.PENDING)
            return JobChange({**fields, "finished_at": None, "updated_at": now}, (*key, tally.write()))

        changed = jobs.change(job_id, decide, point="brain.retry")
        waits = f" It waits for {changed.job.waiting_on} others of its batch." if changed.job.waiting_on else ""
        message = why[0] if why else f"The job is pending again, with all its attempts.{waits}"
        return JobChangeAnswer(job=changed.job, changed=changed.changed, message=message)

    @staticmethod
    def _key(jobs: MemoryJobs, job: MemoryJob, why: list[str]) -> tuple[Write, ...] | None:
        """The writes that take its key again; None while another job is in flight under it."""
        if not job.idempotency_key:
            return ()
        key = jobs.key(job.kind, job.idempotency_key)
        other = in_flight(jobs, key)
        # Where the job itself is in flight, it has been retried since it was read: the commit fails, and looks anew.
        if other is None or other.job.id == job.id:
            return (key.taking(job.id),)
        why.append(f"Nothing was done: the job {other.job.id} is in flight for the same already.")
        return None
