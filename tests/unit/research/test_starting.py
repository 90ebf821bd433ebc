"""start: who takes the operation over, and the one paid call."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

import pytest

from shared.errors import InputError, NotFound, Transient
from shared.gateway.interactions import InteractionError
from shared.store.database import Database
from shared.store.writes import Write
from tests.unit.research.world import MakeWorld, World, execution

LOST = InteractionError("timeout", "no answer", sent=True)
UNSENT = InteractionError("connection", "no route", sent=False)
BUSY = InteractionError("http_429", "too many", sent=False, http_status=429)


def refused(status: int) -> InteractionError:
    return InteractionError(f"http_{status}", f"The service answered {status}", sent=False, http_status=status)


def test_start_claims_makes_the_interaction_and_answers_the_first_wait(world: World) -> None:
    world.delivered(world.tag())
    answer = world.start()
    operation = world.operation
    assert (answer.status, answer.fence, answer.next_poll_seconds) == ("running", 1, 5.0)
    assert (operation.interaction_id, operation.claimed, operation.execution) == ("v1_run1", True, execution(1))
    assert world.types() == ["created", "execution_started", "interaction_started"]
    [attempt] = operation.interactions
    assert (attempt.n, attempt.reason, attempt.interaction_id, attempt.status) == (1, "first", "v1_run1", "in_progress")


def test_the_same_call_again_changes_nothing(world: World) -> None:
    world.begin()
    before = world.operation
    assert world.start().fence == before.fence
    assert world.operation == before
    assert len(world.interactions.created) == 1


def test_three_starts_at_once_are_one_paid_create(world: World) -> None:
    world.delivered(world.tag())

    def start(number: int) -> str:
        try:
            return world.start(number).status
        except Transient:
            return "again"

    with ThreadPoolExecutor(3) as pool:
        answers = list(pool.map(start, [1, 2, 1]))
    assert len(world.interactions.created) == 1
    assert "running" in answers


def test_a_second_execution_is_superseded_while_the_first_lives(world: World) -> None:
    world.begin()
    assert world.start(2).status == "superseded"
    assert world.operation.execution == execution(1)


def test_an_execution_takes_over_from_a_dead_one_with_a_higher_fence(world: World) -> None:
    world.begin()
    world.executions.dead.add(execution(1))
    answer = world.start(2)
    assert (answer.status, answer.fence) == ("running", 2)
    assert world.poll(fence=1).status == "superseded"
    assert len(world.interactions.created) == 1


def test_an_execution_whose_launch_was_not_recorded_may_claim(world: World) -> None:
    world.delivered(world.tag())
    assert world.start(7).status == "running"
    assert world.start(1).status == "superseded"


def test_executions_are_the_same_whether_the_project_is_a_name_or_a_number(world: World) -> None:
    world.delivered(world.tag())
    world.edit(execution="projects/123456/locations/l/workflows/research/executions/e1", claimed=True, fence=4)
    assert world.start(1).fence == 4


def test_an_ended_operation_is_superseded_and_nothing_is_paid(world: World) -> None:
    world.delivered(world.tag())
    world.research.engine.cancel(world.workspace, world.operation.id)
    assert world.start().status == "superseded"
    assert world.interactions.created == []


def test_an_unknown_operation_is_not_found(world: World) -> None:
    with pytest.raises(NotFound):
        world.start(operation_id="op_none")


def test_a_lost_answer_is_tried_again_once_and_counted(world: World) -> None:
    world.delivered(world.tag())
    world.interactions.creates = [LOST]
    with pytest.raises(Transient):
        world.start()
    assert world.start().status == "running"
    assert [(a.n, a.reason, a.status) for a in world.operation.interactions] == [
        (1, "first", "lost"),
        (2, "lost_answer", "in_progress"),
    ]
    assert "interaction_retried" in world.types()


def test_a_second_lost_answer_fails_the_operation_after_two_creates(world: World) -> None:
    world.delivered(world.tag())
    world.interactions.creates = [LOST, InteractionError("http_503", "x", sent=True, http_status=503)]
    for _ in range(2):
        with pytest.raises(Transient):
            world.start()
    assert world.start().status == "superseded"
    assert world.operation.error is not None and world.operation.error.code == "create_lost"
    assert len(world.interactions.created) == 2


def test_an_intent_of_a_dead_caller_is_waited_for_and_then_counts_as_lost(world: World) -> None:
    def die() -> str:
        raise KeyboardInterrupt

    world.delivered(world.tag())
    world.interactions.creates = [die]
    with pytest.raises(KeyboardInterrupt):
        world.start()
    with pytest.raises(Transient) as waiting:
        world.start()
    assert waiting.value.retry_after_seconds > 1
    assert len(world.interactions.created) == 1
    world.clock.advance(world.settings.research_create_timeout_seconds + 31)
    assert world.start().status == "running"
    assert [a.status for a in world.operation.interactions] == ["lost", "in_progress"]


@pytest.mark.parametrize("error", [UNSENT, BUSY])
def test_a_create_that_surely_began_nothing_is_tried_again_without_being_counted(
    world: World, error: InteractionError
) -> None:
    world.delivered(world.tag())
    world.interactions.creates = [error] * 5
    for _ in range(5):
        with pytest.raises(Transient):
            world.start()
    assert world.start().status == "running"
    assert [(a.n, a.reason) for a in world.operation.interactions] == [(1, "first")]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_a_refusal_fails_the_operation_and_says_what_to_do(make_world: MakeWorld, status: int) -> None:
    world = make_world(research_webhooks="off")
    world.delivered(world.tag())
    world.interactions.creates = [refused(status)]
    assert world.start().status == "superseded"
    operation = world.operation
    assert operation.error is not None and operation.error.code == f"http_{status}"
    assert operation.status == "failed" and len(world.interactions.created) == 1


@pytest.mark.parametrize("change", ["deleted", "untagged", "kind"])
def test_a_note_that_is_gone_before_money_is_spent_cancels_the_operation(world: World, change: str) -> None:
    world.delivered(world.tag())
    if change == "deleted":
        world.client.document(f"workspaces/{world.workspace}/notes/n1").delete()
    else:
        world.tag(**({"tags": []} if change == "untagged" else {"kind": "digest"}))
    assert world.start().status == "superseded"
    assert world.operation.status == "cancelled"
    assert world.interactions.created == []
    assert world.types()[-1] == "cancelled"


def test_a_run_that_was_created_while_the_operation_was_cancelled_is_cancelled_too(world: World) -> None:
    def cancelled_meanwhile() -> str:
        world.research.engine.cancel(world.workspace, world.operation.id)
        return "v1_orphan"

    world.delivered(world.tag())
    world.interactions.creates = [cancelled_meanwhile]
    assert world.start().status == "superseded"
    assert world.interactions.cancelled == ["v1_orphan"]
    assert world.operation.status == "cancelled"


def test_a_stalled_creator_cannot_write_after_another_took_over(world: World) -> None:
    def stalls() -> str:
        world.executions.dead.add(execution(1))
        world.clock.advance(200)
        world.start(2)
        return "v1_zombie"

    world.delivered(world.tag())
    world.interactions.creates = [stalls, "v1_mine"]
    assert world.start(1).status == "superseded"
    assert world.operation.interaction_id == "v1_mine"
    assert world.interactions.cancelled == ["v1_zombie"]


def test_by_hand_a_note_is_researched_without_the_tag(world: World) -> None:
    world.write_note("n1", title="Bees", body="Why?")
    answer = world.start(note_id="n1")
    assert answer.status == "running"
    assert world.operation.asked_by == "hand"
    assert world.start(note_id="n1") == answer
    assert len(world.interactions.created) == 1


def test_by_hand_a_running_operation_is_found_and_an_ended_one_is_not_in_the_way(world: World) -> None:
    world.delivered(world.tag())
    operation_id = world.operation.id
    assert world.start(1, note_id="n1").operation_id == operation_id
    world.research.engine.cancel(world.workspace, operation_id)
    again = world.start(2, note_id="n1")
    assert again.status == "running" and again.operation_id != operation_id


def test_by_hand_unknown_notes_and_other_kinds_are_refused(world: World) -> None:
    with pytest.raises(NotFound):
        world.start(note_id="none")
    world.write_note("n2", kind="digest")
    with pytest.raises(InputError):
        world.start(note_id="n2")


def test_the_request_is_markdown_only_in_the_background_with_the_note_and_related_notes(world: World) -> None:
    other = {"title": "Winter bees", "body": "Bees in a hive keep warm.", "tags": ["hive"]}
    world.delivered(world.write_note("n9", **other))
    world.begin()
    [body] = world.interactions.created
    assert body["agent"] == world.settings.research_agent
    assert body["agent_config"] == {"type": "deep-research", "thinking_summaries": "auto", "visualization": "off"}
    assert '<topic title="Bees">\nWhy?\n</topic>' in body["input"]
    assert '<note id="n9" title="Winter bees">\nBees in a hive keep warm.\n</note>' in body["input"]


def test_earlier_reports_are_no_context(world: World) -> None:
    report = {"title": "Research: Bees", "body": "Bees, bees.", "tags": ["hive"], "kind": "research"}
    world.delivered(world.write_note("r1", **report))
    world.begin()
    assert "r1" not in world.interactions.created[0]["input"]


def test_vertex_is_not_sent_what_it_does_not_document(make_world: MakeWorld) -> None:
    world = make_world(research_backend="vertex")
    world.begin()
    assert "visualization" not in world.interactions.created[0]["agent_config"]


def test_a_run_whose_id_the_store_refuses_to_keep_is_cancelled(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when the operation's document is full to the last byte."""
    world.delivered(world.tag())
    commit = Database.commit

    def refuse(database: Database, writes: Iterable[Write], point: str) -> datetime:
        if point == "operation.interaction":
            raise InputError("Firestore refuses the document")
        return commit(database, writes, point)

    monkeypatch.setattr(Database, "commit", refuse)
    with pytest.raises(InputError):
        world.start()
    assert world.interactions.cancelled == ["v1_run1"]
