"""A thousand jobs and several workers; a day of failures; and workers that are killed where it hurts most."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from google.cloud.firestore_v1 import Client

from shared.brain.agent import Desk, NewJob, Outcome
from shared.contracts.jobs import JobStatus
from shared.errors import Transient
from shared.store.writes import add
from tests.support.cloud import local_firestore
from tests.unit.brain.queue.conftest import MakeWorld
from tests.unit.brain.queue.killed import AGENTS, FileClock, tell
from tests.unit.brain.queue.world import Given, QueueWorld, SharedClock, scripted

ROOT = Path(__file__).parents[4]


def counting(given: Given, desk: Desk) -> Outcome:
    return Outcome({}, writes=(add("topics/sum", {"done": {desk.job.id: 1}}),))


def sums(client: Client, workspace: str) -> dict[str, int]:
    found = client.document(f"workspaces/{workspace}/topics/sum").get().to_dict() or {}
    return dict(found.get("done", {}))


def drained_by(here: QueueWorld, workers: int) -> None:
    request = here.take()

    def lane(_: int) -> None:
        brain = here.another()
        while brain.run(request).more:
            pass

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(lane, range(workers)))
    here.give_back(request)


@pytest.mark.parametrize("jobs", [40, pytest.param(1_000, marks=[pytest.mark.slow, pytest.mark.timeout(300)])])
def test_jobs_drained_by_four_workers_are_each_done_once(world: MakeWorld, jobs: int) -> None:
    here = world(scripted("echo", counting))
    with ThreadPoolExecutor(4) as pool:
        ids = [job.id for job in pool.map(lambda n: here.put("echo", priority=n % 3), range(jobs))]

    drained_by(here, 4)

    assert here.counts() == {"pending": 0, "running": 0, "done": jobs, "failed": 0, "cancelled": 0}
    assert sums(here.client, here.workspace) == dict.fromkeys(ids, 1)
    assert {here.job(one).fence for one in ids[:50]} == {1}


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_day_of_failures_is_a_day_of_attempts_and_holds_up_nothing(world: MakeWorld) -> None:
    def weak(_given: Given, desk: Desk) -> Outcome:
        if desk.now() - begun < timedelta(hours=24):
            raise Transient("The model is away.")
        return Outcome({})

    here = world(scripted("weak", weak, max_attempts=1_000), scripted("poison", weak), scripted("echo"))
    begun = here.now()
    job = here.put("weak", priority=90)
    poison = [here.put("poison", priority=95) for _ in range(5)]
    late = [here.put("echo", after=hour * 3_600, priority=1) for hour in range(24)]

    while here.drain(rounds=3_000).status != "done":
        assert len(here.executions.started) < 5, "one drain hands over to another twice a day"

    ended = here.job(job)
    assert ended.status is JobStatus.DONE and 280 < ended.attempts < 300
    assert {here.job(one).status for one in poison} == {JobStatus.FAILED}
    for one in map(here.job, late):
        assert one.finished_at is not None and one.finished_at - one.run_after < timedelta(seconds=61)


POINTS = [
    "before_commit:brain.claim",
    "after_commit:brain.claim",
    "before_call:brain.agent",
    "after_call:brain.agent",
    "before_commit:brain.done",
    "after_commit:brain.done",
    "before_commit:brain.failed",
    "after_commit:brain.failed",
]


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("point", POINTS)
def test_of_two_workers_one_is_killed_at_a_point_and_each_job_is_done_once(tmp_path: Path, point: str) -> None:
    clock, remembered = SharedClock(), tmp_path / "killed"
    tell(tmp_path, clock.now())
    with local_firestore(tmp_path / "firestore", clock) as client:
        here = QueueWorld(client, clock, *AGENTS)
        ids = [here.put("begin", key=str(n)).id for n in range(3)] + [here.put("weak").id for _ in range(3)]
        request = here.take()
        arguments = [str(tmp_path), here.workspace, str(request.fence), request.execution, _address(client)]
        # Both are told to: whoever comes there first makes the file and dies, and the other goes on.
        first, second = (_worker(arguments, f"{point}@{remembered}") for _ in range(2))
        try:
            deadline = time.monotonic() + 60
            while here.counts()["pending"] + here.counts()["running"] and time.monotonic() < deadline:
                clock.advance(20)
                tell(tmp_path, clock.now())
                here.brain.next(request)
                time.sleep(0.05)
        finally:
            (tmp_path / "over").touch()
            codes = [one.wait(30) for one in (first, second)]
        assert remembered.exists() and sorted(codes) == [-9, 0], f"nothing was killed at {point}"
        jobs = here.jobs()
        assert {job.status for job in jobs} == {JobStatus.DONE} and len(jobs) == 3 * 4 + 3
        assert set(ids) <= {job.id for job in jobs}
        assert sums(client, here.workspace) == {job.id: 1 for job in jobs}
        assert here.counts() == here.counted() and here.keys() == 0


def _address(client: Client) -> str:
    return str(client._emulator_host)  # noqa: SLF001 - where it was told to look


def _worker(arguments: list[str], kill: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.unit.brain.queue.killed", *arguments, kill]
    return subprocess.Popen(command, cwd=ROOT)


def test_the_workers_clock_is_the_one_that_is_told(tmp_path: Path) -> None:
    clock = SharedClock()
    tell(tmp_path, clock.now())
    assert FileClock(tmp_path).now() == clock.now()


def test_a_job_enqueued_while_its_like_is_being_finished_is_not_lost(world: MakeWorld) -> None:
    """Whoever comes after the end gets a job of its own, whoever comes before is told of the one in flight."""
    here = world(scripted("echo", counting))
    brains = [here.another() for _ in range(4)]

    def put(n: int) -> str:
        return brains[n].enqueue(here.workspace, NewJob("echo", {"key": "k"})).id

    with ThreadPoolExecutor(5) as pool:
        drain = pool.submit(drained_by, here, 1)
        ids = {found for _ in range(10) for found in pool.map(put, range(4))}
        drain.result(60)
    here.drain()
    assert {here.job(one).status for one in ids} == {JobStatus.DONE}
    assert sums(here.client, here.workspace) == dict.fromkeys(ids, 1)
