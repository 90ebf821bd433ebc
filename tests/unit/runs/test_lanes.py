"""Steps side by side: who gets which, when, and what happens to one that is given back or whose worker is lost."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress

import pytest

from shared import faultpoint
from shared.contracts.run_calls import WorkRequest
from shared.contracts.runs import RunStatus, StepStatus
from shared.llm.port import ModelRequest, Text
from shared.runs.ports import Key
from tests.support.scripted_model import Line, Pause
from tests.support.waiting import wait_until
from tests.unit.runs.world import MakeWorld, World, claiming, look, results_of, step, task_of, working


class Crowd:
    """A working model that counts how many are at it at once; each waits until `wanted` are there, or `open`."""

    def __init__(self, wanted: int) -> None:
        self.wanted, self.now, self.most = wanted, 0, 0
        self.opened, self._lock = threading.Event(), threading.Lock()

    def __call__(self, request: ModelRequest) -> Line:
        if results_of(request):
            return working(request)
        with self._lock:
            self.now += 1
            self.most = max(self.most, self.now)
            if self.now >= self.wanted:
                self.opened.set()
        self.opened.wait(10)
        with self._lock:
            self.now -= 1
        return working(request)


def test_steps_without_dependencies_are_worked_on_at_once(make_world: MakeWorld) -> None:
    world = make_world()
    world.work_model.rule = crowd = Crowd(2)
    key = world.begin(step("a"), step("b"))
    assert world.drive(key).status is RunStatus.SUCCEEDED
    assert crowd.most == 2


def test_a_step_waits_for_those_it_depends_on_and_is_told_what_they_found(make_world: MakeWorld) -> None:
    world = make_world()
    key = world.begin(step("a"), step("b"), step("c", "a", "b"))
    world.drive(key)
    steps = world.steps(key)
    ends = [steps[name].finished_at for name in ("Step a", "Step b")]
    begun = steps["Step c"].started_at
    assert begun is not None and all(end is not None and end <= begun for end in ends)
    [asked] = {str(request.messages[0].parts) for request in world.work_model.requests if task_of(request) == "c"}
    assert "Found a [1.1]" in asked and "Found b [2.1]" in asked


@pytest.mark.slow
def test_forty_steps_at_once_respect_the_lanes(make_world: MakeWorld) -> None:
    """However many executions or lanes ask for steps."""
    world = make_world(run_max_steps=40, run_lanes=3, run_max_calls=400)
    world.work_model.rule = crowd = Crowd(3)
    key = world.begin(*(step(f"s{n}") for n in range(40)))
    done: list[object] = []

    def more_lanes() -> None:
        wait_until(lambda: world.run(key).status is RunStatus.RUNNING, what="the plan is ready")
        work = WorkRequest(workspace=key.workspace, run_id=key.run_id, fence=1)
        lanes = [threading.Thread(target=world.lane, args=(world.runs, work)) for _ in range(5)]
        for lane in lanes:
            lane.start()
        for lane in lanes:
            lane.join(60)
        done.append(True)

    beside = threading.Thread(target=more_lanes)
    beside.start()
    assert world.drive(key).status is RunStatus.SUCCEEDED
    beside.join(60)
    assert done and crowd.most == 3
    assert len(world.run(key).plan) == 40


def test_a_step_that_outlasts_its_request_goes_on_where_it_was(make_world: MakeWorld) -> None:
    """The lane is given back, and claimed again: the journal has what was done."""
    world, pause = make_world(run_request_seconds=0.4), Pause()

    def slow(request: ModelRequest) -> Line:
        if not results_of(request):
            return [look("a")]
        if not pause.reached.is_set():
            return [pause]
        return working(request)

    world.work_model.rule = slow
    key = world.begin(step("a"))
    assert world.drive(key).status is RunStatus.SUCCEEDED
    one = world.steps(key)["Step a"]
    assert one.fence == 2 and one.attempt == 1, "taken up again, not begun again"
    assert world.tools.ran == ["a"], "what was done is not done again"
    assert world.types(key).count("step_started") == 3, "the plan, the step and the answer, each once"


@pytest.mark.parametrize(
    "point",
    [
        "before_commit:step.answer",
        "after_commit:step.answer",
        "after_commit:step.result",
        "before_commit:run.settle_step",
    ],
)
def test_a_worker_that_is_lost_is_followed_by_another_where_it_was(make_world: MakeWorld, point: str) -> None:
    class Killed(BaseException):
        pass

    world = make_world(run_lease_seconds=1.0)
    key = world.begin(step("a"))
    died = threading.Event()

    def kill(name: str) -> None:
        if name == point and not died.is_set():
            died.set()
            raise Killed

    faultpoint.install(kill)
    try:
        dead = threading.Thread(target=_worked_until_killed(world, key, Killed))
        dead.start()
        dead.join(30)
    finally:
        faultpoint.install(None)
    assert died.is_set()
    _lose(world, key)
    assert world.drive(key, runs=world.other()).status is RunStatus.SUCCEEDED
    steps = world.steps(key)
    assert steps["Step a"].status is StepStatus.SUCCEEDED and steps["Step a"].attempt == 1
    assert len(world.store.runs.answers(key.run_id, steps["Step a"].id)) == 2
    assert world.run(key).tool_calls == 1


def _worked_until_killed(world: World, key: Key, kind: type[BaseException]) -> Callable[[], None]:
    """Plan and one step, in one thread that ends when it is killed."""

    def work() -> None:
        with suppress(kind):
            answer = world.runs.plan(claiming(key))
            world.runs.step(WorkRequest(workspace=key.workspace, run_id=key.run_id, fence=answer.fence))

    return work


def _lose(world: World, key: Key) -> None:
    """The dead worker's lease is over."""
    for one in world.store.runs.steps(key.run_id):
        if one.status is StepStatus.RUNNING:
            path = f"workspaces/{world.workspace}/agent_runs/{key.run_id}/steps/{one.id}"
            world.client.document(path).update({"lease_expires_at": one.created_at})


def test_a_worker_that_was_thought_dead_writes_nothing_more(make_world: MakeWorld) -> None:
    world, pause = make_world(), Pause()
    first = True

    def slow(request: ModelRequest) -> Line:
        nonlocal first
        if first:
            first = False
            return [pause, Text("What the dead one found.")]
        return working(request)

    world.work_model.rule = slow
    key = world.begin(step("a"))
    answer = world.runs.plan(claiming(key))
    work = WorkRequest(workspace=key.workspace, run_id=key.run_id, fence=answer.fence)
    dead = threading.Thread(target=world.runs.step, args=(work,))
    dead.start()
    assert pause.reached.wait(10)
    _lose(world, key)
    assert world.other().step(work).more
    pause.open()
    dead.join(20)
    one = world.steps(key)["Step a"]
    assert one.summary == "Found a [1.1]" and one.status is StepStatus.SUCCEEDED


def test_the_second_of_two_executions_does_nothing(make_world: MakeWorld) -> None:
    world = make_world()
    key = world.begin(step("a"), step("b"))
    answers: list[object] = []

    def second() -> None:
        wait_until(lambda: world.run(key).claimed, what="the first execution has the run")
        answers.append(world.drive(key, "executions/e2", world.other()).next)

    beside = threading.Thread(target=second)
    beside.start()
    assert world.drive(key).status is RunStatus.SUCCEEDED
    beside.join(30)
    assert answers == ["done"]
    assert world.types(key).count("plan_ready") == 1 and len(world.tools.ran) == 2


def test_an_execution_that_was_replaced_gets_no_more_steps(make_world: MakeWorld) -> None:
    world = make_world()
    key = world.begin(step("a"))
    old = world.runs.plan(claiming(key))
    assert world.runs.launching.ensure(key, dead="executions/e1")
    new = world.runs.plan(claiming(key, "executions/e2"))
    assert new.fence > old.fence and new.next == "steps"
    work = WorkRequest(workspace=key.workspace, run_id=key.run_id, fence=old.fence)
    assert not world.runs.step(work).more
    assert world.runs.checkpoint(work).next == world.runs.synthesise(work).next == "done"
    assert world.tools.ran == []
