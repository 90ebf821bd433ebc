"""Batches: who depends on whom waits for whom, visibly, and a job's end sets those free that waited for it alone."""

from __future__ import annotations

from collections.abc import Mapping

from shared.brain.agent import BrainAgent, Desk, NewJob, Outcome
from shared.contracts.jobs import JobStatus, MemoryJob
from shared.errors import InputError
from tests.unit.brain.queue.conftest import MakeWorld
from tests.unit.brain.queue.world import Given, QueueWorld, nothing, scripted


class Order:
    """Agents that write down in which order they were run; those in `failing` fail."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.failing: set[str] = set()

    def agent(self, name: str, *depends_on: str) -> BrainAgent:
        def run(_given: Given, _desk: Desk) -> Outcome:
            self.ran.append(name)
            if name in self.failing:
                raise InputError(f"{name} fails")
            return Outcome({})

        return scripted(name, run, depends_on=depends_on, max_attempts=1)


def starting(batch: Mapping[str, Mapping[str, object]]) -> BrainAgent:
    return scripted("begin", lambda _given, _desk: Outcome({}, batch=batch), max_attempts=1)


def diamond(order: Order) -> tuple[BrainAgent, ...]:
    return (
        starting({"last": {}, "left": {}, "right": {}}),
        order.agent("left", "begin"),
        order.agent("right", "begin"),
        order.agent("last", "left", "right"),
    )


def by_kind(here: QueueWorld) -> dict[str, MemoryJob]:
    return {job.kind: job for job in here.jobs()}


def test_a_child_waits_until_all_its_parents_of_the_batch_are_done(world: MakeWorld) -> None:
    order = Order()
    here = world(*diamond(order))
    first = here.put("begin")
    request = here.take()
    claim = here.brain._draining._claiming.next(here.workspace)  # noqa: SLF001 - one job alone is worked on
    assert claim is not None
    from shared.gateway.transport import Cut

    here.brain._draining._working.work(claim, Cut())  # noqa: SLF001
    jobs = by_kind(here)
    assert [jobs[kind].waiting_on for kind in ("left", "right", "last")] == [0, 0, 2]
    assert {jobs[kind].batch_id for kind in jobs} == {first.id} and jobs["last"].parent_job_id == first.id

    here.brain.run(request)
    assert order.ran[-1] == "last" and sorted(order.ran[:2]) == ["left", "right"]
    assert here.counts() == here.counted() | {"done": 4}


def test_a_failed_parent_leaves_its_children_waiting_visibly_and_its_retry_brings_them_on(world: MakeWorld) -> None:
    order = Order()
    order.failing.add("left")
    here = world(*diamond(order))
    here.put("begin")
    assert here.drain().status == "done"

    jobs = by_kind(here)
    assert (jobs["left"].status, jobs["last"].status) == (JobStatus.FAILED, JobStatus.PENDING)
    assert jobs["last"].waiting_on == 1 and here.counts()["pending"] == 1

    order.failing.clear()
    assert here.brain.retry(here.workspace, jobs["left"].id).changed
    here.drain()
    assert by_kind(here)["last"].status is JobStatus.DONE


def test_a_cancelled_parent_says_that_others_wait_for_it(world: MakeWorld) -> None:
    order = Order()
    order.failing.add("right")
    here = world(*diamond(order))
    here.put("begin")
    here.drain()
    job = by_kind(here)["right"]
    here.brain.retry(here.workspace, job.id)
    answer = here.brain.cancel(here.workspace, job.id)
    assert answer.changed and "wait for it (1)" in answer.message
    assert by_kind(here)["last"].waiting_on == 1


def test_one_that_depends_through_agents_outside_the_batch_waits_too(world: MakeWorld) -> None:
    order = Order()
    here = world(
        starting({"last": {}, "first": {}}),
        order.agent("first", "begin"),
        order.agent("between", "first"),
        order.agent("last", "between"),
    )
    here.put("begin")
    here.drain()
    assert order.ran == ["first", "last"]


def test_a_member_whose_key_is_in_flight_is_waited_for_where_it_is(world: MakeWorld) -> None:
    order = Order()
    here = world(
        starting({"left": {"key": "k"}, "last": {}}),
        order.agent("left", "begin"),
        order.agent("last", "left"),
    )
    flying = here.put("left", "already there", key="k", after=30)
    here.put("begin")
    here.work_once()

    jobs = by_kind(here)
    assert len(here.jobs()) == 3 and jobs["left"].id == flying.id
    assert jobs["last"].waiting_on == 1 and jobs["left"].children == (jobs["last"].id,)
    here.drain()
    assert order.ran == ["left", "last"]


def test_what_follows_is_left_out_where_its_key_is_in_flight(world: MakeWorld) -> None:
    follow = NewJob("echo", {"key": "k"})
    here = world(scripted("begin", lambda _given, _desk: Outcome({}, enqueue=(follow, follow))), scripted("echo"))
    here.put("begin")
    here.put("begin")
    here.brain.run(here.take())
    assert sorted(job.kind for job in here.jobs()) in (["begin", "begin", "echo"], ["begin", "begin", "echo", "echo"])
    assert here.counts() == here.counted() and here.keys() == 0


def test_a_job_may_follow_itself_under_its_own_key(world: MakeWorld) -> None:
    rounds: list[str] = []

    def again(given: Given, _desk: Desk) -> Outcome:
        rounds.append(given.text)
        follow = NewJob("again", {"text": given.text + "+", "key": given.key})
        return Outcome({}, enqueue=(follow,) if len(rounds) < 3 else ())

    here = world(scripted("again", again))
    here.put("again", "x", key="k")
    here.drain()
    assert rounds == ["x", "x+", "x++"] and here.keys() == 0
    assert here.counts() == here.counted() | {"done": 3}


def test_more_jobs_than_may_be_are_the_agents_fault(world: MakeWorld) -> None:
    follow = tuple(NewJob("echo", {}) for _ in range(21))
    here = world(scripted("much", lambda _given, _desk: Outcome({}, enqueue=follow), max_attempts=1), scripted("echo"))
    job = here.put("much")
    here.drain()
    assert here.job(job).status is JobStatus.FAILED and len(here.jobs()) == 1


def test_a_batch_goes_with_the_priority_and_the_person_of_its_beginning(world: MakeWorld) -> None:
    here = world(starting({"echo": {}}), scripted("echo", nothing, depends_on=("begin",)))
    here.brain.enqueue(here.workspace, NewJob("begin", {}, priority=70, user="ada"))
    here.drain()
    child = by_kind(here)["echo"]
    assert (child.priority, child.user) == (70, "ada")
