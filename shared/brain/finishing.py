"""The end of an attempt: one commit of the job's move, what it brought, the jobs it leaves behind and the counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from shared.brain.agent import Outcome
from shared.brain.claiming import Claim
from shared.brain.planting import Planting
from shared.brain.ports import Ports
from shared.contracts.jobs import JobEvent, JobStatus, MemoryJob
from shared.contracts.operations import Failure, Usage
from shared.contracts.usage import UsageKind
from shared.errors import InputError
from shared.store import paths
from shared.store.brain_counts import Tally
from shared.store.guards import FenceLost
from shared.store.memory_jobs import HeldJob, JobChange, MemoryJobs, releasing
from shared.store.streams import EventDraft
from shared.store.usage import counting
from shared.store.writes import Write, add
from shared.usage.metering import sums
from shared.usage.months import month_of

WRITES = 400
"""Of one commit; with what the stream adds to it Firestore takes it."""
BACKOFF = timedelta(seconds=30)
BACKOFF_MOST = timedelta(minutes=5)
JITTER_SECONDS = 10.0
POSTPONED = timedelta(hours=1)
_DOUBLINGS = 10
"""More of them would only make large numbers: BACKOFF_MOST is reached long before."""
_MESSAGE_CHARACTERS = 1_000

_FREE: Mapping[str, Any] = {"locked_at": None, "locked_until": None}


@dataclass(frozen=True)
class Spent:
    """What an attempt has used, and which model it asked; "rules" asked none."""

    usage: Usage = Usage()
    model: str = "rules"


class Finishing:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    def done(self, claim: Claim, outcome: Outcome, output: Mapping[str, Any], spent: Spent) -> MemoryJob:
        """The job is done. Raises FenceLost when it is another's by now, InputError for what cannot be committed."""

        def decide(held: HeldJob) -> JobChange | None:
            job = ours(held, claim)
            if job is None:
                return None
            tally = self._ended(job, JobStatus.DONE, spent).add(job.kind, outcome.counts)
            planted = Planting(self._ports, self._jobs(claim), job, outcome).writes(tally)
            children = tuple(add(paths.memory_job(child), {"waiting_on": -1}) for child in job.children)
            if children:
                tally.due(job.kind)
            key = () if planted.keeps_key else releasing(job)
            also = (*outcome.writes, *planted.writes, *children, *key, *self._counted(job, spent), tally.write())
            if len(also) + len(outcome.events) > WRITES:
                raise InputError(f"A job is one commit of {WRITES} writes at most; this has {len(also)}.")
            fields = {"output": output, "batch_id": job.batch_id or (job.id if outcome.batch else "")}
            return JobChange({**self._end(job, JobStatus.DONE, spent), **fields}, also, outcome.events)

        stream = claim.job.kind if outcome.events else None
        return self._jobs(claim).change(claim.job.id, decide, point="brain.done", stream=stream).job

    def failed(self, claim: Claim, error: Failure, spent: Spent) -> MemoryJob:
        """An attempt has failed: another follows after a while, or the job has failed. Raises FenceLost, Transient."""

        def decide(held: HeldJob) -> JobChange | None:
            job = ours(held, claim)
            return None if job is None else self.failure(job, error, spent, JobStatus.FAILED)

        stream = self.last_stream(claim.job)
        return self._jobs(claim).change(claim.job.id, decide, point="brain.failed", stream=stream).job

    def postponed(self, claim: Claim, error: Failure, spent: Spent, delay: timedelta = POSTPONED) -> MemoryJob:
        """Nothing may be spent just now: the job waits, and this was no attempt. Raises FenceLost, Transient."""

        def decide(held: HeldJob) -> JobChange | None:
            job = ours(held, claim)
            return None if job is None else self._again(job, error, spent, 0, delay)

        return self._jobs(claim).change(claim.job.id, decide, point="brain.postponed").job

    def failure(self, job: MemoryJob, error: Failure, spent: Spent, last: JobStatus) -> JobChange:
        """The change of a job of which an attempt has failed; `last` is how it ends when that was the last one."""
        if job.attempts + 1 < job.max_attempts:
            return self._again(job, error, spent, 1, self._delay(job.attempts + 1))
        told = {"job_id": job.id, "attempts": job.attempts + 1, **error.model_dump(exclude={"v"})}
        kind = JobEvent.FAILED if last is JobStatus.FAILED else JobEvent.CANCELLED
        also = (*releasing(job), *self._counted(job, spent), self._ended(job, last, spent).write())
        fields = {**self._end(job, last, spent), "attempts": job.attempts + 1, "error": _stored(error)}
        return JobChange(fields, also, (EventDraft(kind, told),))

    @staticmethod
    def last_stream(job: MemoryJob) -> str | None:
        """The stream that hears of it when this attempt of the job fails: none, unless it is the last one."""
        return None if job.attempts + 1 < job.max_attempts else job.kind

    def _again(self, job: MemoryJob, error: Failure, spent: Spent, attempts: int, delay: timedelta) -> JobChange:
        now = self._ports.now()
        fields = {
            "status": JobStatus.PENDING.value,
            "attempts": job.attempts + attempts,
            "run_after": now + delay,
            "error": _stored(error),
            "updated_at": now,
            **_FREE,
            **_spent(job, spent),
        }
        tally = Tally(job.id).moved(job.kind, job.status, JobStatus.PENDING).add(job.kind, _tokens(spent))
        return JobChange(fields, (*self._counted(job, spent), tally.write()))

    def _delay(self, attempts: int) -> timedelta:
        jitter = timedelta(seconds=self._ports.randomness.uniform(0, JITTER_SECONDS))
        factor: int = 2 ** min(attempts, _DOUBLINGS)
        return min(factor * BACKOFF + jitter, BACKOFF_MOST)

    def _end(self, job: MemoryJob, status: JobStatus, spent: Spent) -> dict[str, Any]:
        now = self._ports.now()
        return {"status": status.value, "finished_at": now, "updated_at": now, **_FREE, **_spent(job, spent)}

    def _ended(self, job: MemoryJob, status: JobStatus, spent: Spent) -> Tally:
        tally = Tally(job.id).moved(job.kind, job.status, status).add(job.kind, _tokens(spent))
        return tally.ended(job.kind, self._ports.now(), spent.model)

    def _counted(self, job: MemoryJob, spent: Spent) -> tuple[Write, ...]:
        """The month's usage, in the shard that the job decides."""
        if spent.usage == Usage():
            return ()
        return (counting(job.id, month_of(self._ports.now()), UsageKind.BRAIN, sums(spent.usage)),)

    def _jobs(self, claim: Claim) -> MemoryJobs:
        return self._ports.store(claim.workspace).memory_jobs


def ours(held: HeldJob, claim: Claim) -> MemoryJob | None:
    """The job, if it is still the claim's; None if the claim has ended it itself. Raises FenceLost."""
    job, mine = held.job, claim.job
    if job.status is JobStatus.RUNNING and job.fence == mine.fence:
        return job
    if job.status in (JobStatus.DONE, JobStatus.FAILED) and job.fence == mine.fence:
        return None
    message = f"The job is {job.status.value}, and its fence is {job.fence}: another has it, or it was cancelled."
    raise FenceLost(message, reason="fence", held=job.fence)


def _spent(job: MemoryJob, spent: Spent) -> dict[str, Any]:
    return {"usage": (job.usage + spent.usage).model_dump(), "model": spent.model or job.model}


def _tokens(spent: Spent) -> dict[str, int]:
    used = sums(spent.usage)
    return {"input_tokens": used.input_tokens, "output_tokens": used.output_tokens}


def _stored(error: Failure) -> dict[str, Any]:
    return Failure(code=error.code, message=error.message[:_MESSAGE_CHARACTERS]).model_dump()
