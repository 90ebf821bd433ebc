"""How a run begins, is started, is mended, and what it costs whom."""

from __future__ import annotations

import random

import pytest

from shared.contracts.runs import RunStatus
from shared.errors import BudgetExceeded, Forbidden, NotFound, Transient, Unprocessable
from shared.operations.launch import LAUNCHES
from shared.runs.beginning import Wanted
from shared.runs.reconciling import RunReconciler
from shared.store.system import SystemStore
from tests.unit.runs.world import GOAL, MakeWorld, World, claiming, step


def sweep(world: World) -> RunReconciler:
    system = SystemStore(world.client, world.clock, random.Random(1))
    return RunReconciler(world.runs.ports, lambda: system, world.runs.launching)


def untouched(world: World, run_id: str, **fields: object) -> None:
    """As if nobody had written the run for an hour."""
    path = f"workspaces/{world.workspace}/agent_runs/{run_id}"
    created = world.store.runs.get(run_id).created_at
    from datetime import timedelta

    world.client.document(path).update({"updated_at": created - timedelta(hours=1), **fields})


def test_a_run_is_stored_with_its_first_frame_and_its_plan_step(make_world: MakeWorld) -> None:
    world = make_world()
    key = world.begin(step("a"))
    run = world.run(key)
    assert run.status is RunStatus.QUEUED and run.active and run.goal == GOAL
    assert world.types(key) == ["run_started"] and list(world.steps(key)) == ["Plan"]
    assert world.executions.started == [{"workflow": "agent_run", "workspace": world.workspace, "run_id": key.run_id}]
    assert world.spending.reserved[key.run_id].tokens == world.settings.run_max_tokens


def test_the_same_key_is_the_same_run(make_world: MakeWorld) -> None:
    world = make_world()
    first, created = world.runs.begin(world.workspace, Wanted(GOAL), key="k")
    again, created_again = world.other().begin(world.workspace, Wanted(GOAL), key="k")
    assert created and not created_again and first.id == again.id
    assert len(world.executions.started) == 1
    with pytest.raises(Unprocessable):
        world.runs.begin(world.workspace, Wanted("Something else"), key="k")
    assert world.spending.released == []


@pytest.mark.parametrize("refusal", [Forbidden("off"), BudgetExceeded("used up")])
def test_what_may_not_be_is_not_stored(make_world: MakeWorld, refusal: Forbidden | BudgetExceeded) -> None:
    world = make_world()
    world.spending.refusing = refusal
    with pytest.raises(type(refusal)):
        world.begin()
    assert world.store.runs.list(limit=5) == ((), None) and world.executions.started == []


def test_a_session_that_is_none_is_refused_before_anything_is_set_aside(make_world: MakeWorld) -> None:
    world = make_world()
    with pytest.raises(NotFound):
        world.begin(session_id="nowhere")
    assert world.spending.reserved == {}


def test_a_run_that_could_not_be_started_is_started_by_its_event(make_world: MakeWorld) -> None:
    world = make_world()
    world.executions.failing = Transient("Workflows is away.")
    key = world.begin(step("a"))
    world.executions.failing = None
    assert world.run(key).launches == 0, "what did not start does not count"
    world.runs.run_created(key)
    world.runs.run_created(key)
    assert len(world.executions.started) == 1


def test_a_workflow_that_is_not_there_fails_the_run_with_what_to_do(make_world: MakeWorld) -> None:
    world = make_world()
    world.executions.failing = NotFound("There is no such workflow.")
    key = world.begin(step("a"))
    error = world.run(key).error
    assert error is not None and error.code == "start_not_found" and "Deploy" in error.message


def test_the_sweep_starts_what_no_living_execution_drives(make_world: MakeWorld) -> None:
    world = make_world()
    key = world.begin(step("a"))
    untouched(world, key.run_id)
    assert sweep(world).sweep().runs == 0, "its execution lives"
    world.executions.dead.add("executions/e1")
    assert sweep(world).sweep().runs == 1
    assert world.drive(key, "executions/e2").status is RunStatus.SUCCEEDED


def test_a_run_taken_up_again_is_not_planned_again(make_world: MakeWorld) -> None:
    world = make_world()
    key = world.begin(step("a"), step("b"))
    world.runs.plan(claiming(key))
    world.executions.dead.add("executions/e1")
    untouched(world, key.run_id)
    assert sweep(world).sweep().runs == 1
    assert world.drive(key, "executions/e2").status is RunStatus.SUCCEEDED
    assert world.types(key).count("plan_ready") == 1 and len(world.plan_model.requests) == 2


def test_a_run_whose_executions_all_die_fails_in_the_end(make_world: MakeWorld) -> None:
    world = make_world()
    key = world.begin(step("a"))
    for n in range(1, LAUNCHES + 1):
        world.executions.dead.add(f"executions/e{n}")
        untouched(world, key.run_id)
        sweep(world).sweep()
    error = world.run(key).error
    assert error is not None and error.code == "launches_exhausted"
    assert len(world.executions.started) == LAUNCHES


def test_ended_runs_are_left_alone_by_the_sweep(make_world: MakeWorld) -> None:
    world = make_world()
    key = world.begin(step("a"))
    world.drive(key)
    untouched(world, key.run_id)
    world.executions.dead.add("executions/e1")
    assert sweep(world).sweep().runs == 0
