"""Drains: one a workspace, started by whoever enqueues, ended when nothing is left, and never with a job unseen."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from shared.brain.agent import Desk, NewJob, Outcome
from shared.brain.draining import LEASE
from shared.brain.reconciling import BrainReconciler
from shared.contracts.brain_drain import DrainFailRequest, DrainRequest, DrainStartRequest
from shared.contracts.jobs import JobStatus
from shared.errors import Forbidden, Transient
from shared.store.system import SystemStore
from tests.unit.brain.queue.conftest import MakeWorld
from tests.unit.brain.queue.world import Given, QueueWorld, scripted


def reconciler(here: QueueWorld) -> BrainReconciler:
    import random

    system = SystemStore(here.client, here.clock, random.Random(1))
    return BrainReconciler(here.brain.ports, lambda: system, here.brain.launching)


def test_the_first_job_starts_a_drain_and_those_after_it_none(world: MakeWorld) -> None:
    here = world(scripted("echo"))
    for _ in range(3):
        here.put("echo")
    assert here.executions.started == [here.workspace]
    here.take("executions/e1")
    here.put("echo")
    assert here.executions.started == [here.workspace]


def test_many_who_enqueue_at_once_start_one_drain(world: MakeWorld) -> None:
    here = world(scripted("echo"))
    gate = threading.Barrier(5)

    def put(_: int) -> None:
        gate.wait(10)
        here.put("echo")

    with ThreadPoolExecutor(5) as pool:
        list(pool.map(put, range(5)))
    assert here.executions.started == [here.workspace]


def test_the_same_start_again_gives_the_same_and_another_execution_is_turned_away(world: MakeWorld) -> None:
    here = world(scripted("echo"))
    here.put("echo")
    first, again = here.take("executions/e1"), here.take("projects/1/executions/e1")
    assert first.fence == again.fence == 1
    other = here.brain.start(DrainStartRequest(workspace=here.workspace, execution="executions/e2"))
    assert other.status == "superseded"


def test_a_drain_sleeps_until_the_next_job_is_due_a_minute_at_most_and_ends_without_any(world: MakeWorld) -> None:
    here = world(scripted("echo"))
    here.put("echo", after=100)
    request = here.take()
    assert here.brain.run(request).more is False
    looking = here.brain.next(request)
    assert looking.wait_seconds == 60.0 and looking.lanes == (), "there will be nothing to work on then"
    here.clock.advance(60)
    working = here.brain.next(request)
    assert working.wait_seconds == pytest.approx(40, abs=0.1) and working.lanes
    here.clock.advance(40)
    here.brain.run(request)
    assert here.brain.next(request).status == "done"
    assert here.brain.run(request).more is False


def test_children_of_a_failed_parent_keep_no_drain_going(world: MakeWorld) -> None:
    def fails(_given: Given, _desk: Desk) -> Outcome:
        raise Forbidden("no")

    begin = scripted("begin", lambda _given, _desk: Outcome({}, batch={"weak": {}, "last": {}}))
    here = world(
        begin,
        scripted("weak", fails, depends_on=("begin",), max_attempts=1),
        scripted("last", depends_on=("weak",)),
    )
    here.put("begin")
    assert here.drain().status == "done" and here.counts()["pending"] == 1


@pytest.mark.parametrize("moment", ["brain.release", "counts"])
def test_a_job_that_comes_at_the_very_end_of_a_drain_is_seen(
    world: MakeWorld, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """Enqueued before the lease is given back it is seen by this drain; after that it starts one of its own."""
    here = world(scripted("echo"))
    here.put("echo")
    request = here.take()
    here.brain.run(request)
    other, put = here.another(), list[bool]()

    def late() -> None:
        if not put:
            put.append(True)
            other.enqueue(here.workspace, NewJob("echo", {}))

    draining = here.brain._draining  # noqa: SLF001
    look, release = draining._look, draining._released  # noqa: SLF001

    def looked(name: str) -> tuple[int, float | None]:
        found = look(name)
        late()
        return found

    def released(one: DrainRequest) -> None:
        late()
        release(one)

    if moment == "counts":
        monkeypatch.setattr(draining, "_look", looked)
    else:
        monkeypatch.setattr(draining, "_released", released)
    started = len(here.executions.started)
    answer = here.brain.next(request)
    assert answer.status == "running" and answer.fence == request.fence + 1
    assert len(here.executions.started) == started
    again = request.model_copy(update={"fence": answer.fence})
    here.brain.run(again)
    assert here.brain.next(again).status == "done" and here.counts()["done"] == 2


def test_a_job_that_comes_after_the_end_of_a_drain_starts_another(world: MakeWorld) -> None:
    here = world(scripted("echo"))
    here.put("echo")
    here.drain()
    here.clock.advance(60)
    here.put("echo")
    assert len(here.executions.started) == 2


def test_of_two_drains_one_works_and_the_one_that_lost_its_lease_ends(world: MakeWorld) -> None:
    here = world(scripted("echo"))
    here.put("echo", after=1_000)
    first = here.take("executions/e1")
    here.clock.advance(LEASE.total_seconds() + 1)
    second = here.take("executions/e2")
    assert second.fence == first.fence + 1
    assert here.brain.run(first).more is False and here.brain.next(first).status == "superseded"
    assert here.brain.next(second).status == "running"


def test_a_drain_that_goes_on_keeps_its_lease(world: MakeWorld) -> None:
    here = world(scripted("echo"))
    here.put("echo", after=1_800)
    request = here.take()
    for _ in range(20):
        here.brain.run(request)
        assert here.brain.next(request).status == "running"
        here.clock.advance(60)
    assert here.brain.start(DrainStartRequest(workspace=here.workspace, execution="e9")).status == "superseded"


def test_a_drain_that_has_gone_on_for_long_hands_over_to_another(
    world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shared.brain.draining.DRAIN_TIME", timedelta(minutes=20))
    here = world(scripted("echo"))
    here.put("echo", after=7_200)
    request = here.take()
    while here.brain.next(request).status == "running":
        here.clock.advance(240)
    assert len(here.executions.started) == 2
    assert here.take("executions/e2").fence == request.fence + 1


def test_a_drain_that_can_go_on_no_further_gives_its_lease_back(world: MakeWorld) -> None:
    here = world(scripted("echo"))
    here.put("echo")
    request = here.take()
    here.brain.fail(DrainFailRequest(**request.model_dump(), message="unreachable"))
    here.put("echo")
    assert len(here.executions.started) == 2
    late = DrainFailRequest(**here.take("executions/e2").model_dump() | {"fence": 1}, message="late")
    here.brain.fail(late)
    assert (
        here.brain.next(DrainRequest(workspace=here.workspace, fence=2, execution="executions/e2")).status == "running"
    )


def test_a_tick_starts_the_drain_that_nobody_could_start(world: MakeWorld) -> None:
    here = world(scripted("echo"))
    here.executions.failing = Transient("away")
    job = here.put("echo")
    assert job.status is JobStatus.PENDING and here.executions.started == []
    here.executions.failing = None
    sweep = reconciler(here)
    sweep.sweep()
    assert here.workspace not in here.executions.started, "the failed start may have been one"
    here.clock.advance(60)
    assert sweep.sweep().drains >= 1 and here.workspace in here.executions.started
    here.clock.advance(60)
    here.spending.refusing = Forbidden("off")
    assert sweep.sweep().drains == 0


def test_a_tick_starts_another_drain_for_one_whose_execution_died(world: MakeWorld) -> None:
    here = world(scripted("echo"))
    here.put("echo")
    here.take("executions/e1")
    sweep = reconciler(here)
    sweep.sweep()
    assert here.executions.started.count(here.workspace) == 1
    here.executions.dead.add("executions/e1")
    sweep.sweep()
    assert here.executions.started.count(here.workspace) == 2
    assert here.take("executions/e2").fence == 2


def test_a_drain_that_died_as_it_gave_its_lease_back_looks_again_when_it_is_asked_again(world: MakeWorld) -> None:
    here = world(scripted("echo"))
    request = here.take()
    here.brain._draining._released(request)  # noqa: SLF001 - and the answer is lost
    here.put("echo")
    answer = here.brain.next(request)
    assert answer.status == "running" and answer.lanes and answer.fence == request.fence + 1
    again = request.model_copy(update={"fence": answer.fence})
    here.brain.run(again)
    assert here.brain.next(again).status == "done" == here.brain.next(again).status


def test_a_tick_finds_a_lost_worker_of_any_workspace(world: MakeWorld) -> None:
    here = world(scripted("echo", timeout_ms=1_000))
    job = here.put("echo")
    assert here.another()._draining._claiming.next(here.workspace) is not None  # noqa: SLF001
    here.clock.advance(3)
    assert reconciler(here).sweep().jobs >= 1
    assert (here.job(job).status, here.job(job).attempts) == (JobStatus.PENDING, 1)


def test_a_lane_that_finds_nothing_waits_while_another_works(world: MakeWorld) -> None:
    reached, go = threading.Event(), threading.Event()

    def block(_given: Given, _desk: Desk) -> Outcome:
        reached.set()
        assert go.wait(20)
        return Outcome({})

    here = world(scripted("block", block))
    here.put("block")
    request = here.take()
    lane = threading.Thread(target=here.brain.run, args=(request,), daemon=True)
    lane.start()
    assert reached.wait(20)
    answer = here.brain.run(request)
    assert answer.more and answer.wait_seconds > 0
    go.set()
    lane.join(20)
    assert here.brain.run(request).more is False


def test_a_lane_begins_no_further_job_after_most_of_a_minute(world: MakeWorld) -> None:
    def slow(_given: Given, _desk: Desk) -> Outcome:
        here.clock.advance(30)
        return Outcome({})

    here = world(scripted("slow", slow))
    for _ in range(3):
        here.put("slow")
    request = here.take()
    assert here.brain.run(request).more is True and here.counts()["done"] == 2
    assert here.brain.run(request).more is False and here.counts()["done"] == 3
