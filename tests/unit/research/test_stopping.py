"""cancel and fail."""

from __future__ import annotations

import pytest

from shared.errors import NotFound, Transient
from shared.gateway.interactions import InteractionError
from tests.unit.research.build import output
from tests.unit.research.world import World, execution

AWAY = InteractionError("http_503", "away", sent=True, http_status=503)


def test_cancel_ends_the_operation_then_the_interaction_then_the_execution(world: World) -> None:
    world.begin()
    answer = world.research.engine.cancel(world.workspace, world.operation.id)
    assert answer.cancelled and answer.operation.status == "cancelled"
    assert world.interactions.cancelled == ["v1_run1"]
    assert world.executions.cancelled == [execution(1)]
    assert not world.operation.cancel_pending
    assert world.events()[-1].terminal


def test_cancelling_twice_or_after_the_end_is_a_no_op_that_says_so(world: World) -> None:
    world.begin()
    world.research.engine.cancel(world.workspace, world.operation.id)
    before = world.operation
    again = world.research.engine.cancel(world.workspace, world.operation.id)
    assert not again.cancelled and "already ended (cancelled)" in again.message
    assert world.operation == before and world.interactions.cancelled == ["v1_run1"]


def test_cancelling_after_a_report_leaves_the_report(world: World) -> None:
    world.begin()
    world.interactions.shows("v1_run1", "completed", output("See [a](https://a.example)."))
    world.poll()
    answer = world.research.engine.cancel(world.workspace, world.operation.id)
    assert not answer.cancelled and answer.operation.status == "completed"
    assert world.interactions.cancelled == []


def test_an_unknown_operation_cannot_be_cancelled(world: World) -> None:
    with pytest.raises(NotFound):
        world.research.engine.cancel(world.workspace, "op_none")


def test_a_cancel_before_the_start_needs_nothing_outside_but_the_execution(world: World) -> None:
    world.delivered(world.tag())
    assert world.research.engine.cancel(world.workspace, world.operation.id).cancelled
    assert world.interactions.cancelled == [] and world.executions.cancelled == [execution(1)]


def test_a_cancel_that_stopped_half_way_is_finished_by_the_living_workflow(world: World) -> None:
    world.begin()
    world.interactions.cancel_error = AWAY
    assert world.research.engine.cancel(world.workspace, world.operation.id).cancelled
    assert world.operation.cancel_pending and world.executions.cancelled == []
    world.interactions.cancel_error = None
    assert world.poll().status == "cancelled"
    assert world.interactions.cancelled == ["v1_run1"] and not world.operation.cancel_pending


def test_the_workflow_fails_its_own_operation_and_stops_its_run(world: World) -> None:
    world.begin()
    failed = world.fail(fence=1)
    assert failed is not None and failed.status == "failed"
    assert failed.error is not None and "no luck" in failed.error.message
    assert world.interactions.cancelled == ["v1_run1"]


@pytest.mark.parametrize(
    "request_",
    [{"fence": 7}, {"execution": execution(2)}, {}],
)
def test_an_execution_cannot_fail_what_another_has(world: World, request_: dict[str, object]) -> None:
    world.begin()
    left = world.fail(**request_)
    assert left is not None and left.status == "running"


def test_an_execution_whose_start_gave_no_answer_can_fail_what_is_its_own(world: World) -> None:
    world.begin()
    failed = world.fail(execution=execution(1))
    assert failed is not None and failed.status == "failed"


def test_failing_an_ended_or_unknown_operation_changes_nothing(world: World) -> None:
    world.begin()
    world.research.engine.cancel(world.workspace, world.operation.id)
    kept = world.fail(fence=1)
    assert kept is not None and kept.status == "cancelled"
    assert world.fail(operation_id="op_none") is None
    assert world.fail(operation_id=None, note_id="unknown") is None
    assert world.fail(operation_id=None) is None


def test_the_workflows_last_word_tells_why_the_run_could_not_be_created(world: World) -> None:
    world.delivered(world.tag())
    world.interactions.creates = [InteractionError("credentials", "Set application-default credentials", sent=False)]
    with pytest.raises(Transient):
        world.start()
    failed = world.fail(execution=execution(1))
    assert failed is not None and failed.error is not None
    assert "Set application-default credentials" in failed.error.message
