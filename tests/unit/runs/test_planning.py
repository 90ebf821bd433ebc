"""From a goal to a plan: what code refuses, what goes back to the model, what fails the run."""

from __future__ import annotations

import json

import pytest

from shared.contracts.runs import RunStatus, StepKind, StepStatus
from shared.errors import ModelOutputError, Transient
from shared.llm.port import Text
from shared.runs.plan_check import checked
from tests.support.scripted_model import Pause
from tests.unit.runs.world import MakeWorld, plan, step


def text(*steps: object) -> str:
    return json.dumps({"steps": steps})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("I would first look around.", "no JSON"),
        (text(), "steps"),
        (text({"id": "a"}), "title"),
        (text({**step("a"), "why": "because"}), "why"),
        (text(step("a"), step("a")), "there twice"),
        (text(step("a", "z")), "depends on z"),
        (text(step("a", "b"), step("b", "a")), "in a circle"),
        (text(step("a", "a")), "in a circle"),
        (text(step("a", tool="rm")), "no tool rm"),
        (text(*(step(str(n)) for n in range(4))), "3 at most"),
    ],
)
def test_a_plan_that_cannot_be_worked_by_is_refused_with_what_is_wrong(given: str, said: str) -> None:
    with pytest.raises(ModelOutputError, match=said):
        checked(given, most=3, tools=["look"])


def test_steps_come_after_those_they_depend_on() -> None:
    steps = checked(text(step("c", "a", "b"), step("b", "a"), step("a")), most=3, tools=())
    assert [one.id for one in steps] == ["a", "b", "c"]


def test_json_in_a_fence_is_json() -> None:
    assert checked(f"```json\n{text(step('a'))}\n```", most=3, tools=())[0].id == "a"


def test_a_bad_plan_goes_back_to_the_model_once_with_what_is_wrong(make_world: MakeWorld) -> None:
    world = make_world()
    world.planned += [plan(step("a", "zz")), plan(step("a"))]
    key = world.begin()
    assert world.drive(key).status is RunStatus.SUCCEEDED
    again = world.plan_model.requests[1].messages
    assert "zz" in str(again[2].parts) and again[1].role == "model"
    assert world.steps(key)["Plan"].usage.input_tokens == 20


def test_a_second_bad_plan_fails_the_run(make_world: MakeWorld) -> None:
    world = make_world()
    world.planned += [[Text("none")], [Text("none either")]]
    key = world.begin()
    assert world.drive(key).status is RunStatus.FAILED
    run = world.run(key)
    assert run.error is not None and run.error.code == "no_plan" and run.answer_note_id is None
    assert world.steps(key)["Plan"].status is StepStatus.FAILED
    assert world.types(key)[-2:] == ["step_failed", "run_completed"]
    assert run.total_tokens_in == 20, "what was paid for is counted"


def test_a_model_that_stays_away_fails_the_run(make_world: MakeWorld) -> None:
    world = make_world()
    world.planned += [[Transient("away")]] * 3
    key = world.begin()
    assert world.drive(key).status is RunStatus.FAILED
    error = world.run(key).error
    assert error is not None and error.code == "unavailable" and "later" in error.message


def test_a_simple_goal_is_one_step_and_the_answer(make_world: MakeWorld) -> None:
    world = make_world()
    key = world.begin(step("a"))
    world.drive(key)
    kinds = [one.kind for one in world.store.runs.steps(key.run_id)]
    assert kinds == [StepKind.PLAN, StepKind.SUB_AGENT, StepKind.SYNTHESIS]


def test_the_whole_plan_is_told_before_any_of_its_steps_begins(make_world: MakeWorld) -> None:
    world = make_world()
    key = world.begin(step("a"), step("b", "a", tool="look"))
    world.drive(key)
    frames = [frame for frame in world.frames(key) if frame.data["title"] != "Plan"]
    ready = next(n for n, frame in enumerate(frames) if frame.type == "plan_ready")
    assert "step_started" not in [frame.type for frame in frames[:ready]]
    listed = frames[ready].data["steps"]
    assert [one["title"] for one in listed] == ["Step a", "Step b", "Answer"]
    assert [one["tool"] for one in listed] == ["sub_agent", "look", "sub_agent"]
    assert listed[1]["depends_on"] == [listed[0]["step_id"]]


def test_a_step_for_one_tool_is_offered_that_tool_alone(make_world: MakeWorld) -> None:
    world = make_world()
    world.drive(world.begin(step("a", tool="look")))
    assert [[tool.name for tool in request.tools] for request in world.work_model.requests] == [["look"], ["look"]]


def test_two_planners_at_once_are_one(make_world: MakeWorld) -> None:
    """A workflow that was answered by silence calls again while the first call still works."""
    import threading

    from shared.contracts.run_calls import PlanRequest

    world, pause = make_world(), Pause()
    world.planned.append([pause, *plan(step("a"))])
    key = world.begin()
    request = PlanRequest(workspace=key.workspace, run_id=key.run_id, execution="executions/e1")
    first = threading.Thread(target=world.runs.plan, args=(request,))
    first.start()
    assert pause.reached.wait(10)
    again = world.other().plan(request)
    assert again.next == "plan" and again.wait_seconds > 0
    pause.open()
    first.join(10)
    assert world.other().plan(request).next == "steps"
    assert len(world.plan_model.requests) == 1
