"""Cancels in each phase, and ends that race: one truth, and nothing is written after it."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from shared import faultpoint
from shared.contracts.run_calls import WorkRequest
from shared.contracts.runs import RunStatus, StepStatus
from shared.llm.port import ModelRequest, Text
from shared.runs.ports import Key
from tests.support.scripted_model import Line, Pause
from tests.support.waiting import wait_until
from tests.unit.runs.world import MakeWorld, World, claiming, look, plan, results_of, step

SECONDS = 2.0


def everything(world: World, key: Key) -> list[tuple[str, object]]:
    """Every document of the run, and the notes."""
    root = world.client.document(f"workspaces/{world.workspace}/agent_runs/{key.run_id}")
    found = [(root.path, root.get().to_dict())]
    pending = list(root.collections())
    while pending:
        for document in pending.pop().list_documents():
            found.append((document.path, document.get().to_dict()))
            pending.extend(document.collections())
    notes = world.client.collection(f"workspaces/{world.workspace}/notes").list_documents()
    return [*found, *((note.path, None) for note in notes)]


def cancelled(world: World, key: Key, driver: threading.Thread, *, elsewhere: bool) -> None:
    """Cancel, and see that it is over within two seconds and stays so."""
    runs = world.other() if elsewhere else world.runs
    begun = world.clock.now()
    answer = runs.cancel(world.workspace, key.run_id)
    assert answer.cancelled and answer.run.status is RunStatus.CANCELLED
    after = everything(world, key)
    driver.join(SECONDS + 5)
    assert not driver.is_alive()
    assert (world.clock.now() - begun).total_seconds() < SECONDS
    assert everything(world, key) == after, "nothing is written after a cancel"
    assert world.types(key)[-1] == "run_completed" and world.types(key).count("run_completed") == 1
    assert all(one.status.terminal for one in world.store.runs.steps(key.run_id))
    assert world.executions.cancelled == ["executions/e1"]


def driven(world: World, key: Key) -> threading.Thread:
    driver = threading.Thread(target=world.drive, args=(key,))
    driver.start()
    return driver


@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "elsewhere"])
def test_a_cancel_while_it_is_planned(make_world: MakeWorld, elsewhere: bool) -> None:
    world, pause = make_world(), Pause()
    world.planned.append([pause, *plan(step("a"))])
    key = world.begin()
    driver = driven(world, key)
    assert pause.reached.wait(10)
    cancelled(world, key, driver, elsewhere=elsewhere)


@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "elsewhere"])
def test_a_cancel_while_models_think_and_tools_run(make_world: MakeWorld, elsewhere: bool) -> None:
    world, pause = make_world(), Pause()

    def rule(request: ModelRequest) -> Line:
        return [pause] if "find a" in str(request.messages[0].parts) else [look("b", tool="block")]

    world.work_model.rule = rule
    key = world.begin(step("a"), step("b"), step("c", "a"))
    driver = driven(world, key)
    assert pause.reached.wait(10) and world.tools.reached.wait(10)
    cancelled(world, key, driver, elsewhere=elsewhere)
    assert world.tools.cut.wait(2)


@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "elsewhere"])
def test_a_cancel_while_the_answer_is_written(make_world: MakeWorld, elsewhere: bool) -> None:
    world, pause = make_world(), Pause()
    world.synthesis = lambda _request: [Text("Half of it [1.1]"), pause]
    key = world.begin(step("a"))
    driver = driven(world, key)
    assert pause.reached.wait(10)
    cancelled(world, key, driver, elsewhere=elsewhere)
    assert world.run(key).answer_note_id is None


def test_a_cancel_before_anything_has_begun(make_world: MakeWorld) -> None:
    world = make_world()
    key = world.begin()
    assert world.runs.cancel(world.workspace, key.run_id).cancelled
    assert world.runs.plan(claiming(key)).next == "done"
    assert world.plan_model.requests == []
    assert [one.status for one in world.store.runs.steps(key.run_id)] == [StepStatus.CANCELLED]


def test_a_cancel_after_the_end_changes_nothing_and_says_so(make_world: MakeWorld) -> None:
    world = make_world()
    key = world.begin(step("a"))
    world.drive(key)
    before = everything(world, key)
    answer = world.runs.cancel(world.workspace, key.run_id)
    assert not answer.cancelled and "already ended (succeeded)" in answer.message
    assert everything(world, key) == before


def raced(world: World, point: str, beside: Callable[[], object]) -> None:
    """Do something at the last moment before that commit, once."""
    done = threading.Event()

    def handler(name: str) -> None:
        if name == point and not done.is_set():
            done.set()
            beside()

    faultpoint.install(handler)


def test_a_cancel_that_comes_just_before_the_answer_is_committed_wins(make_world: MakeWorld) -> None:
    world = make_world()
    key = world.begin(step("a"))
    raced(world, "before_commit:run.end", lambda: world.other().cancel(world.workspace, key.run_id))
    try:
        assert world.drive(key).status is RunStatus.CANCELLED
    finally:
        faultpoint.install(None)
    assert world.run(key).answer_note_id is None
    assert list(world.client.collection(f"workspaces/{world.workspace}/notes").list_documents()) == []


def test_an_answer_that_is_committed_just_before_a_cancel_stays(make_world: MakeWorld) -> None:
    world, pause = make_world(), Pause()
    world.synthesis = lambda _request: [pause, Text("It [1.1]")]
    key = world.begin(step("a"))
    driver = driven(world, key)
    assert pause.reached.wait(10)

    def finish() -> None:
        pause.open()
        wait_until(lambda: world.run(key).status.terminal, what="the answer is there")

    raced(world, "before_commit:run.cancel", finish)
    try:
        answer = world.other().cancel(world.workspace, key.run_id)
    finally:
        faultpoint.install(None)
    driver.join(10)
    assert not answer.cancelled and answer.run.status is RunStatus.SUCCEEDED
    assert world.types(key).count("run_completed") == 1


def test_a_step_that_ends_as_the_run_is_cancelled_leaves_no_trace(make_world: MakeWorld) -> None:
    world = make_world()
    key = world.begin(step("a"))
    raced(world, "before_commit:run.settle_step", lambda: world.other().cancel(world.workspace, key.run_id))
    try:
        assert world.drive(key).status is RunStatus.CANCELLED
    finally:
        faultpoint.install(None)
    assert world.steps(key)["Step a"].status is StepStatus.CANCELLED
    assert "step_completed" not in [frame.type for frame in world.frames(key) if frame.data["title"] == "Step a"]


def test_a_workflow_that_gives_up_fails_its_run(make_world: MakeWorld) -> None:
    from shared.contracts.run_calls import RunFailRequest

    world = make_world()
    key = world.begin(step("a"))
    answer = world.runs.plan(claiming(key))
    request = RunFailRequest(workspace=key.workspace, run_id=key.run_id, message="HTTP 503", fence=answer.fence - 1)
    assert world.runs.fail(request).status is RunStatus.RUNNING, "an execution that was replaced fails nothing"
    own = request.model_copy(update={"fence": answer.fence})
    assert world.runs.fail(own).status is RunStatus.FAILED
    assert not world.runs.step(WorkRequest(workspace=key.workspace, run_id=key.run_id, fence=answer.fence)).more
    error = world.run(key).error
    assert error is not None and "HTTP 503" in error.message


def test_results_that_come_after_the_end_are_not_stored(make_world: MakeWorld) -> None:
    """A tool that is deaf to its cut."""
    world = make_world()
    world.work_model.rule = lambda request: [look("b", tool="block")] if not results_of(request) else [Text("x")]
    key = world.begin(step("b"))
    driver = driven(world, key)
    assert world.tools.reached.wait(10)
    world.other().cancel(world.workspace, key.run_id)
    before = everything(world, key)
    world.tools.opened.set()
    driver.join(10)
    assert everything(world, key) == before
