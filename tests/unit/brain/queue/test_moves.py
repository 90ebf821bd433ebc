"""Retrying, cancelling, and workers that are lost or come too late."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from shared.brain.agent import Desk, Outcome
from shared.brain.claiming import Claim
from shared.contracts.jobs import JobStatus, MemoryJob
from shared.errors import InputError, NotFound
from shared.gateway.transport import Cut
from shared.store.memory_jobs import HeldKey, MemoryJobs
from shared.store.streams import EventDraft
from tests.unit.brain.queue.conftest import MakeWorld
from tests.unit.brain.queue.world import Given, QueueWorld, nothing, scripted


def failing(_given: Given, _desk: Desk) -> Outcome:
    raise InputError("no")


def claimed(here: QueueWorld) -> Claim:
    claim = here.another()._draining._claiming.next(here.workspace)  # noqa: SLF001 - a worker, step by step
    assert claim is not None
    return claim


def worked(here: QueueWorld, claim: Claim) -> None:
    here.another()._draining._working.work(claim, Cut())  # noqa: SLF001


def swept(here: QueueWorld) -> None:
    request = here.take(f"executions/{here.now().timestamp()}")
    here.brain.next(request)
    here.give_back(request)


@pytest.mark.parametrize("end", ["failed", "cancelled"])
def test_a_retry_gives_all_attempts_anew_and_is_due_now(world: MakeWorld, end: str) -> None:
    here = world(scripted("weak", failing, max_attempts=1))
    job = here.put("weak", key="k")
    if end == "failed":
        here.drain()
    else:
        here.brain.cancel(here.workspace, job.id)
    here.clock.advance(100)

    answer = here.brain.retry(here.workspace, job.id)

    assert answer.changed and (answer.job.status, answer.job.attempts) == (JobStatus.PENDING, 0)
    assert answer.job.run_after == here.now() and here.keys() == 1
    assert here.counts() == here.counted() | {"pending": 1}


@pytest.mark.parametrize("status", ["pending", "running", "done"])
def test_a_retry_of_any_other_job_does_nothing_and_says_so(world: MakeWorld, status: str) -> None:
    here = world(scripted("echo"))
    job = here.put("echo")
    if status == "running":
        claimed(here)
    elif status == "done":
        here.drain()
    before = here.job(job)

    answer = here.brain.retry(here.workspace, job.id)

    assert not answer.changed and answer.message.startswith("Nothing was done") and status in answer.message
    assert here.job(job) == before


def test_a_retry_makes_no_second_job_in_flight_under_one_key(world: MakeWorld) -> None:
    here = world(scripted("weak", failing, max_attempts=1))
    first = here.put("weak", key="k")
    here.drain()
    second = here.put("weak", key="k")
    answer = here.brain.retry(here.workspace, first.id)
    assert not answer.changed and second.id in answer.message
    assert here.job(first).status is JobStatus.FAILED


def test_of_two_retries_at_once_the_later_finds_the_job_pending(
    world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = world(scripted("weak", failing, max_attempts=1))
    job = here.put("weak", key="k")
    here.drain()
    key, first = MemoryJobs.key, [job.id]

    def after_another(jobs: MemoryJobs, kind: str, text: str) -> HeldKey:
        if first:
            assert here.brain.retry(here.workspace, first.pop()).changed
        return key(jobs, kind, text)

    monkeypatch.setattr(MemoryJobs, "key", after_another)

    answer = here.brain.retry(here.workspace, job.id)

    assert not answer.changed and answer.job.status is JobStatus.PENDING and "the job is pending" in answer.message
    assert here.keys() == 1 and here.counts() == here.counted() | {"pending": 1}


def test_what_is_not_there_is_not_found(world: MakeWorld) -> None:
    here = world(scripted("echo"))
    for call in (here.brain.retry, here.brain.cancel, here.brain.job):
        with pytest.raises(NotFound, match="no job job_1"):
            call(here.workspace, "job_1")


def test_a_late_completion_does_not_undo_a_cancel(world: MakeWorld) -> None:
    bring = scripted("bring", lambda _given, _desk: Outcome({}, events=(EventDraft("brought"),)))
    here = world(bring)
    job = here.put("bring", key="k")
    claim = claimed(here)
    assert here.brain.cancel(here.workspace, job.id).changed

    worked(here, claim)

    assert here.job(job).status is JobStatus.CANCELLED and here.keys() == 0
    assert [event["type"] for event in here.events("bring")] == ["job_cancelled"]
    again = here.brain.cancel(here.workspace, job.id)
    assert not again.changed and "ended already (cancelled)" in again.message


def test_a_worker_that_was_thought_dead_commits_nothing(world: MakeWorld) -> None:
    here = world(scripted("echo", timeout_ms=10_000))
    job = here.put("echo", "first")
    late = claimed(here)
    here.clock.advance(21)
    swept(here)
    now = here.job(job)
    assert (now.status, now.attempts, now.error and now.error.code) == (JobStatus.PENDING, 1, "lost")
    here.clock.advance(300)
    second = claimed(here)

    worked(here, late)
    assert here.job(job).status is JobStatus.RUNNING
    worked(here, second)
    assert (here.job(job).status, here.job(job).fence) == (JobStatus.DONE, 2)
    assert here.counts() == here.counted() | {"done": 1}


def test_a_lock_is_left_alone_for_twice_the_time_of_its_agent(world: MakeWorld) -> None:
    here = world(scripted("echo", timeout_ms=10_000))
    job = here.put("echo")
    claimed(here)
    here.clock.advance(19)
    swept(here)
    assert here.job(job).status is JobStatus.RUNNING


def test_a_job_whose_workers_are_all_lost_is_cancelled_with_the_reason(world: MakeWorld) -> None:
    here = world(scripted("echo", timeout_ms=1_000, max_attempts=2))
    job = here.put("echo", key="k")
    for _ in range(2):
        claimed(here)
        here.clock.advance(3)
        swept(here)
        here.clock.advance(300)
    ended = here.job(job)
    assert (ended.status, ended.attempts) == (JobStatus.CANCELLED, 2)
    assert ended.error is not None and "not heard of" in ended.error.message
    assert here.keys() == 0 and [event["type"] for event in here.events("echo")] == ["job_cancelled"]


def test_two_who_sweep_at_once_count_one_attempt(world: MakeWorld) -> None:
    here = world(scripted("echo", timeout_ms=1_000))
    job = here.put("echo")
    claimed(here)
    here.clock.advance(3)
    gate = threading.Barrier(4)

    def sweep(_: int) -> bool:
        sweeping = here.another()._draining._sweeping  # noqa: SLF001
        gate.wait(10)
        return sweeping.job(here.workspace, job.id)

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(sweep, range(4))) == [False, False, False, True]
    assert here.job(job).attempts == 1


def test_of_those_who_claim_at_once_one_has_the_job(world: MakeWorld) -> None:
    here = world(scripted("echo"))
    here.put("echo")
    gate = threading.Barrier(4)

    def claim(_: int) -> Claim | None:
        claiming = here.another()._draining._claiming  # noqa: SLF001
        gate.wait(10)
        return claiming.next(here.workspace)

    with ThreadPoolExecutor(4) as pool:
        assert sum(one is not None for one in pool.map(claim, range(4))) == 1


def test_a_cancel_reaches_the_worker_of_this_process_at_once(world: MakeWorld) -> None:
    reached, job_ids = threading.Event(), list[str]()

    def block(_given: Given, desk: Desk) -> Outcome:
        job_ids.append(desk.job.id)
        reached.set()
        assert desk.cut.wait(20)
        raise InputError(desk.cut.reason)

    here = world(scripted("block", block))
    job = here.put("block")
    request = here.take()
    lane = threading.Thread(target=here.brain.run, args=(request,), daemon=True)
    lane.start()
    assert reached.wait(20)
    here.brain.cancel(here.workspace, job.id)
    lane.join(20)
    assert not lane.is_alive() and here.job(job).status is JobStatus.CANCELLED


def jobs_of(here: QueueWorld, status: str) -> list[MemoryJob]:
    return list(here.brain.jobs(here.workspace, status=status, limit=50)[0])


def test_jobs_are_listed_by_state_and_agent_in_pages(world: MakeWorld) -> None:
    here = world(scripted("weak", failing, max_attempts=1), scripted("echo", nothing))
    for _ in range(3):
        here.put("weak")
        here.put("echo")
        here.clock.advance(1)
    here.drain()
    first, cursor = here.brain.jobs(here.workspace, limit=4)
    rest, end = here.brain.jobs(here.workspace, limit=4, cursor=cursor)
    assert (len(first), len(rest), end) == (4, 2, None)
    assert {job.kind for job in jobs_of(here, "failed")} == {"weak"}
    assert len(here.brain.jobs(here.workspace, status="done", kind="weak", limit=5)[0]) == 0
    assert len(here.brain.jobs(here.workspace, kind="echo", limit=5)[0]) == 3
