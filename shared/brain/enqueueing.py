"""Enqueueing: the job, its key and its count are one commit; an in-flight job with the same key is answered instead."""

from __future__ import annotations

from shared.brain.agent import NewJob
from shared.brain.making import Made, job_of, known
from shared.brain.ports import Ports
from shared.contracts.jobs import MemoryJob
from shared.store.brain_counts import Tally
from shared.store.errors import Malformed
from shared.store.memory_jobs import HeldJob, HeldKey, MemoryJobs
from shared.store.writes import Write


class Enqueueing:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    def enqueue(self, workspace: str, new: NewJob, job_id: str | None = None) -> tuple[MemoryJob, bool]:
        """The job, and whether this call made it. With a `job_id` that derives from a cause, once for that cause.

        Raises NotFound for an agent that is none, InputError for an input that is none of its, Transient.
        """
        jobs = self._ports.store(workspace).memory_jobs
        agent = known(self._ports.agents(), new.kind)
        job = job_of(agent, new, Made(job_id or self._ports.ids.fresh(), self._ports.now()))
        others: list[MemoryJob] = []

        def also() -> tuple[Write, ...] | None:
            others.clear()
            tally = Tally(job.id).moved(job.kind, None, job.status).write()
            if not job.idempotency_key:
                return (tally,)
            key = jobs.key(job.kind, job.idempotency_key)
            if (other := in_flight(jobs, key)) is not None:
                others.append(other.job)
                return None
            return tally, key.taking(job.id)

        created = jobs.create(job, also, point="brain.enqueue")
        return (created.job, created.changed) if created is not None else (others[0], False)


def in_flight(jobs: MemoryJobs, key: HeldKey) -> HeldJob | None:
    """The job that holds the key. What has ended holds none, nor does what is no job: such a key can be taken."""
    if not key.job_id:
        return None
    try:
        held = jobs.read(key.job_id)
    except Malformed:
        return None
    return held if held is not None and not held.job.status.terminal else None
