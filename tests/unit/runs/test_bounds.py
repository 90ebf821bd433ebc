"""Every bound: the run stops cleanly, answers with what there is, and says why it stopped."""

from __future__ import annotations

import pytest

from shared.contracts.operations import Usage
from shared.contracts.runs import Budget, Ledger, RunStatus, StepStatus
from shared.llm.port import ModelRequest, Text
from shared.runs.budgets import grant
from tests.support.scripted_model import End, Line
from tests.unit.runs.world import MakeWorld, look, results_of, step, task_of, working


def endless(request: ModelRequest) -> Line:
    """Repeats one call for ever."""
    return [look(task_of(request))]


def dear(request: ModelRequest) -> Line:
    """Every answer takes a thousand tokens."""
    return [*working(request), End(usage=Usage(input_tokens=900, output_tokens=100))]


def test_a_model_that_repeats_one_call_for_ever_ends_at_its_iterations(make_world: MakeWorld) -> None:
    world = make_world(run_step_iterations=4)
    world.work_model.rule = endless
    key = world.begin(step("a"))
    assert world.drive(key).status is RunStatus.SUCCEEDED
    one = world.steps(key)["Step a"]
    assert one.stop_reason == "iterations" and one.iteration == 4 and len(world.tools.ran) == 4
    assert len(one.sources) == 1, "one source however often it was found"
    assert world.run(key).stop_reason == "iterations"


def test_tool_calls_end_where_the_run_has_no_more(make_world: MakeWorld) -> None:
    world = make_world(run_max_calls=6, run_step_iterations=50, run_lanes=1)
    world.work_model.rule = endless
    key = world.begin(step("a"), step("b"), step("c"))
    assert world.drive(key).status is RunStatus.SUCCEEDED
    run = world.run(key)
    assert len(world.tools.ran) <= 6 and run.stop_reason == "calls"
    assert run.ledger.used.calls >= 6 and run.ledger.granted == Budget()


def test_what_a_run_has_no_tokens_for_is_skipped_and_the_rest_answered(make_world: MakeWorld) -> None:
    world = make_world(run_max_tokens=3_000, run_lanes=1)
    world.work_model.rule = dear
    key = world.begin(*(step(name) for name in "abcdef"))
    assert world.drive(key).status is RunStatus.SUCCEEDED
    run, steps = world.run(key), world.steps(key)
    assert run.stop_reason == "tokens" and run.answer_note_id is not None
    assert StepStatus.SKIPPED in {one.status for one in steps.values()}
    told = str(world.plan_model.requests[-1].messages[0].parts)
    assert "<stopped>tokens</stopped>" in told and "was skipped" in told


def test_money_is_a_bound_like_any_other(make_world: MakeWorld) -> None:
    world = make_world(run_max_usd=0.007, run_lanes=1)
    world.work_model.rule = dear
    key = world.begin(*(step(name) for name in "abcdef"))
    assert world.drive(key).status is RunStatus.SUCCEEDED
    assert world.run(key).stop_reason == "usd"
    assert StepStatus.SKIPPED in {one.status for one in world.steps(key).values()}


@pytest.mark.slow
def test_when_the_time_is_over_no_step_begins_and_those_under_way_end(make_world: MakeWorld) -> None:
    world = make_world(run_seconds=1.5, run_lanes=1, run_step_iterations=1_000, run_max_calls=5_000)

    def lingering(request: ModelRequest) -> Line:
        world.clock.sleep(0.1)
        return endless(request)

    world.work_model.rule = lingering
    key = world.begin(step("a"), step("b"))
    assert world.drive(key).status is RunStatus.SUCCEEDED
    run, steps = world.run(key), world.steps(key)
    assert run.stop_reason == "time"
    assert steps["Step a"].stop_reason == "time" and steps["Step b"].status is StepStatus.SKIPPED
    assert run.finished_at is not None and run.deadline_at is not None
    assert (run.finished_at - run.deadline_at).total_seconds() < 10


def test_a_step_is_granted_its_share_before_it_spends(make_world: MakeWorld) -> None:
    seen: list[Ledger] = []
    world = make_world(run_lanes=2, run_max_tokens=40_000)

    def watching(request: ModelRequest) -> Line:
        if not results_of(request):
            seen.append(world.run(key).ledger)
        return working(request)

    world.work_model.rule = watching
    key = world.begin(step("a"), step("b"), step("c"))
    world.drive(key)
    assert all(ledger.granted.tokens + ledger.used.tokens <= 40_000 and ledger.granted.tokens for ledger in seen)
    ledger = world.run(key).ledger
    assert (
        ledger.granted == Budget()
        and ledger.used.tokens == world.run(key).total_tokens_in + world.run(key).total_tokens_out
    )


@pytest.mark.parametrize("waiting", [1, 2, 8])
def test_shares_never_add_up_to_more_than_there_is(waiting: int) -> None:
    ledger = Ledger(limits=Budget(tokens=1_000, calls=10, usd=1.0))
    for left in range(waiting, 0, -1):
        share = grant(ledger, left)
        if share is None:
            break
        ledger = ledger.model_copy(update={"granted": ledger.granted + share})
    assert ledger.granted.tokens <= 1_000 and ledger.granted.calls <= 10 and ledger.granted.usd <= 1.0


def test_nothing_is_granted_of_nothing() -> None:
    assert grant(Ledger(limits=Budget(tokens=10, calls=0, usd=1.0)), 1) is None


def test_a_plain_answer_needs_no_tool(make_world: MakeWorld) -> None:
    """Of a step that looked nowhere nothing can be cited: with others the run goes on without it."""
    world = make_world()
    world.work_model.rule = lambda request: [Text("I know it.")] if task_of(request) == "a" else working(request)
    key = world.begin(step("a"), step("b"))
    assert world.drive(key).status is RunStatus.SUCCEEDED
    assert [one.note_id for one in world.store.notes.get(str(world.run(key).answer_note_id)).citations] == ["note-b"]
