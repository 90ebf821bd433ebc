"""The queue as a state machine: in whatever order things happen, its promises hold.

At most one job in flight per key, terminal states are left by a retry alone, attempts are bounded, each end is
committed once, the counts are those of the jobs, and what is eligible is worked on in the end.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule

from shared.brain.agent import Desk, NewJob, Outcome
from shared.brain.claiming import Claim
from shared.contracts.jobs import JobStatus, MemoryJob
from shared.errors import InputError
from shared.gateway.transport import Cut
from tests.support.cloud import local_firestore
from tests.unit.brain.queue.world import Given, QueueWorld, SharedClock, scripted

KEYS = ("", "a", "b")
ATTEMPTS = 3


class Queue(RuleBasedStateMachine):
    jobs: Bundle[str] = Bundle("jobs")
    claims: Bundle[Claim] = Bundle("claims")

    def __init__(self) -> None:
        super().__init__()
        self.mood = "done"
        self.here = QueueWorld(
            MACHINE["client"],
            MACHINE["clock"],
            scripted("one", self.run_agent, timeout_ms=20_000, max_attempts=ATTEMPTS),
            scripted("two", self.run_agent, timeout_ms=20_000, depends_on=("one",), max_attempts=ATTEMPTS),
            scripted("three", self.run_agent, timeout_ms=20_000, depends_on=("one", "two"), max_attempts=ATTEMPTS),
        )
        self.before: dict[str, MemoryJob] = {}
        self.retried: set[str] = set()
        self.ends: Counter[str] = Counter()

    def run_agent(self, given: Given, _desk: Desk) -> Outcome:
        if self.mood == "fail":
            raise InputError("no")
        if self.mood == "batch":
            return Outcome({}, batch={"two": {"key": given.key}, "three": {}})
        if self.mood == "follow":
            return Outcome({}, enqueue=(NewJob("one", {"key": given.key}), NewJob("two", {})))
        return Outcome({})

    @property
    def draining(self) -> Any:
        return self.here.brain._draining  # noqa: SLF001 - its workers, step by step

    @rule(
        target=jobs,
        kind=st.sampled_from(("one", "two")),
        key=st.sampled_from(KEYS),
        priority=st.sampled_from((10, 50, 90)),
        after=st.sampled_from((0, 40)),
    )
    def enqueue(self, kind: str, key: str, priority: int, after: float) -> str:
        return self.here.put(kind, key=key, priority=priority, after=after).id

    @rule(target=claims)
    def claim(self) -> Any:
        claim = self.here.another()._draining._claiming.next(self.here.workspace)  # noqa: SLF001
        return multiple() if claim is None else claim

    @rule(claim=consumes(claims), mood=st.sampled_from(("done", "fail", "batch", "follow")))
    def work(self, claim: Claim, mood: str) -> None:
        """A worker ends its job, in time or late: then nothing of it may show."""
        now = self.here.job(claim.job)
        own = now.status is JobStatus.RUNNING and now.fence == claim.job.fence
        self.mood = mood
        self.draining._working.work(claim, Cut())  # noqa: SLF001
        after = self.here.job(claim.job)
        if not own:
            assert after == now
        elif mood != "fail":
            assert after.status is JobStatus.DONE

    @rule(claim=consumes(claims))
    def die(self, claim: Claim) -> None:
        """A worker is not heard of again."""

    @rule(seconds=st.sampled_from((1, 39, 41, 400)))
    def wait(self, seconds: float) -> None:
        self.here.clock.advance(seconds)

    @rule()
    def sweep(self) -> None:
        self.draining._sweeping.sweep(self.here.workspace)  # noqa: SLF001

    @rule(job_id=jobs)
    def cancel(self, job_id: str) -> None:
        ended = self.here.job(job_id).status.terminal
        assert self.here.brain.cancel(self.here.workspace, job_id).changed is not ended

    @rule(job_id=jobs)
    def retry(self, job_id: str) -> None:
        self.retried.add(job_id)
        self.here.brain.retry(self.here.workspace, job_id)

    @invariant()
    def promises(self) -> None:
        found = {job.id: job for job in self.here.jobs()}
        flying = Counter((job.kind, job.idempotency_key) for job in found.values() if not job.status.terminal)
        assert all(number == 1 for (_, key), number in flying.items() if key), flying
        assert self.here.keys() == sum(1 for _, key in flying if key)
        for job_id, job in found.items():
            before = self.before.get(job_id)
            assert job.attempts <= ATTEMPTS and job.waiting_on >= 0
            if before is not None:
                assert job.fence >= before.fence
                if before.status.terminal and job_id not in self.retried:
                    kept = ("status", "output", "error", "attempts", "finished_at", "fence")
                    assert all(getattr(job, name) == getattr(before, name) for name in kept)
                if before.status is JobStatus.DONE:
                    assert job.status is JobStatus.DONE
        assert self.here.counts() == self.here.counted()
        self.before, self.retried = found, set()

    def teardown(self) -> None:
        """Whatever happened: left to itself, everything that can be worked on comes to an end."""
        self.mood = "done"
        self.here.drain()
        left = [job for job in self.here.jobs() if not job.status.terminal]
        assert all(job.status is JobStatus.PENDING and job.waiting_on for job in left)


MACHINE: dict[str, Any] = {}


def run_machine(examples: int, steps: int) -> None:
    from hypothesis.stateful import run_state_machine_as_test

    with TemporaryDirectory() as folder:
        MACHINE["clock"] = SharedClock()
        with local_firestore(Path(folder), MACHINE["clock"]) as client:
            MACHINE["client"] = client
            run_state_machine_as_test(
                Queue,
                settings=settings(
                    max_examples=examples,
                    stateful_step_count=steps,
                    deadline=None,
                    suppress_health_check=list(HealthCheck),
                ),
            )


def test_the_promises_hold_in_some_orders() -> None:
    run_machine(examples=4, steps=12)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_promises_hold_in_many_orders() -> None:
    run_machine(examples=60, steps=40)
