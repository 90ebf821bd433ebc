"""Runs as they are shown: steps, the tool calls below each, and the answer that is being written."""

from __future__ import annotations

from shared.contracts.runs import RunStatus, StepKind, StepStatus
from shared.llm.port import ModelRequest, Text
from shared.runs.showing import with_steps
from tests.support.scripted_model import Line, Pause
from tests.support.waiting import wait_until
from tests.unit.runs.test_ending_early import driven
from tests.unit.runs.world import MakeWorld, look, results_of, step, working


def test_tool_calls_stand_below_the_step_that_made_them(make_world: MakeWorld) -> None:
    world = make_world()
    key = world.begin(step("a"), step("b"))
    world.drive(key)
    shown = with_steps(world.store, key.run_id)
    assert [one.kind for one in shown.steps] == [
        StepKind.PLAN,
        StepKind.SUB_AGENT,
        StepKind.SUB_AGENT,
        StepKind.SYNTHESIS,
    ]
    [call] = shown.steps[1].steps
    assert call.parent_step_id == shown.steps[1].id and call.kind is StepKind.TOOL_CALL
    assert call.tool_name == "look" and call.tool_input == {"query": "a"} and call.status is StepStatus.SUCCEEDED
    assert call.tool_output is not None and call.tool_output["notes"] == ["note-a"]
    assert call.finished_at is not None and shown.steps[1].tokens_in == 20


def test_a_long_answer_of_a_tool_is_cut_with_a_marker(make_world: MakeWorld) -> None:
    world = make_world()
    world.tools.known = lambda _query: [f"{n} {'x' * 400}" for n in range(30)]
    key = world.begin(step("a"))
    world.drive(key)
    output = with_steps(world.store, key.run_id).steps[1].steps[0].tool_output
    assert output is not None and output["cut_bytes"] > 4_000 and len(str(output)) < 6_000


def test_a_call_under_way_is_running_and_one_that_failed_says_why(make_world: MakeWorld) -> None:
    world = make_world()

    def rule(request: ModelRequest) -> Line:
        return (
            [look("a", 1, tool="block"), look("b", 2, tool="nothing")] if not results_of(request) else working(request)
        )

    world.work_model.rule = rule
    key = world.begin(step("a"))
    driver = driven(world, key)
    assert world.tools.reached.wait(10)

    def both() -> bool:
        calls = with_steps(world.store, key.run_id).steps[1].steps
        return [call.status for call in calls] == [StepStatus.RUNNING, StepStatus.FAILED]

    wait_until(both, what="one runs and one has failed")
    error = with_steps(world.store, key.run_id).steps[1].steps[1].error
    assert error is not None and error.code == "malformed_call"
    world.tools.opened.set()
    driver.join(10)


def test_the_answer_is_shown_as_far_as_it_is_written(make_world: MakeWorld) -> None:
    world, pause = make_world(), Pause()
    world.synthesis = lambda _request: [Text("y" * 4_500), pause, Text(" [1.1]")]
    key = world.begin(step("a"))
    driver = driven(world, key)
    assert pause.reached.wait(10)
    wait_until(lambda: with_steps(world.store, key.run_id).answer_text == "y" * 4_500, what="the text is shown")
    assert with_steps(world.store, key.run_id).total_tokens_in > 0, "what was used so far"
    pause.open()
    driver.join(10)
    shown = with_steps(world.store, key.run_id)
    assert shown.status is RunStatus.SUCCEEDED and shown.answer_text == ""


def test_a_planner_that_outlasts_its_request_is_asked_anew(make_world: MakeWorld) -> None:
    world, pause = make_world(run_request_seconds=0.3), Pause()
    world.planned.append([pause])
    key = world.begin(step("a"))
    assert world.drive(key).status is RunStatus.SUCCEEDED
    assert world.steps(key)["Plan"].fence == 2 and world.steps(key)["Plan"].attempt == 1


def test_a_planner_that_has_no_time_left_fails_the_run(make_world: MakeWorld) -> None:
    world, pauses = make_world(run_request_seconds=0.3, run_seconds=0.4), [Pause() for _ in range(5)]
    world.planned += [[pause] for pause in pauses]
    key = world.begin()
    assert world.drive(key).status is RunStatus.FAILED
    error = world.run(key).error
    assert error is not None and "time of the run is over" in error.message
