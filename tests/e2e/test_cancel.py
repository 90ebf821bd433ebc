"""Cancelling at each stage: one truth, nothing written after it, the outside work stopped."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta

import pytest

from infra.local.aiplatform.script import HttpFailure, Script
from tests.e2e.world import QUESTION, World

pytestmark = pytest.mark.slow


def _cancel(world: World, operation_id: str) -> dict:
    return world.request("POST", f"/api/v1/operations/{operation_id}/cancel")


def _created(world: World) -> bool:
    return bool(world.stored_operations())


def _launched(world: World) -> bool:
    return _created(world) and bool(world.stored_operations()[0]["execution"])


def _interacting(world: World) -> bool:
    return _created(world) and bool(world.stored_operations()[0]["interaction_id"])


def _polled(world: World) -> bool:
    return _created(world) and world.stored_operations()[0]["attempts"] >= 3


@pytest.mark.parametrize("stage", [_created, _launched, _interacting, _polled])
def test_a_cancel_at_each_stage_is_final(world: World, stage: Callable[[World], bool]) -> None:
    world.write_note(QUESTION, "research")
    world.until(lambda: stage(world))
    operation_id = world.stored_operations()[0]["id"]
    answer = _cancel(world, operation_id)
    assert answer["cancelled"] is True
    world.pass_time(1200)
    (operation,) = world.stored_operations()
    assert operation["status"] == "cancelled"
    assert operation["cancel_pending"] is False
    assert world.notes("research") == []
    events = [json.loads(frame.data)["type"] for frame in world.events(operation_id)]
    assert events[-1] == "cancelled"
    assert events.count("cancelled") == 1
    assert set(world.platform.calls.cancelled()) == set(world.paid_runs)
    assert world.active_executions() == []


@pytest.mark.slow
def test_cancelling_twice_and_after_the_end_says_so(world: World) -> None:
    done = world.research()
    answer = _cancel(world, done["id"])
    assert answer["cancelled"] is False
    assert "completed" in answer["message"]
    world.write_note(QUESTION, "research")
    world.until(lambda: len(world.stored_operations()) == 2)
    second = world.stored_operations()[1]["id"]
    assert _cancel(world, second)["cancelled"] is True
    again = _cancel(world, second)
    assert again["cancelled"] is False
    assert again["operation"]["status"] == "cancelled"


@pytest.mark.slow
def test_a_completion_after_the_cancel_changes_nothing(world: World) -> None:
    world.platform.script_interaction(Script(cancel_failures=(HttpFailure(500, times=3),), run_seconds=30))
    world.write_note(QUESTION, "research")
    world.until(lambda: _interacting(world))
    operation_id = world.stored_operations()[0]["id"]
    _cancel(world, operation_id)
    world.pass_time(1800)
    (operation,) = world.stored_operations()
    assert operation["status"] == "cancelled"
    assert operation["result_note_id"] is None
    assert operation["cancel_pending"] is False
    assert world.notes("research") == []


@pytest.mark.slow
def test_a_cancel_while_workflows_is_away_is_finished_later(world: World) -> None:
    world.write_note(QUESTION, "research")
    world.until(lambda: _interacting(world))
    world.faults.outage("workflows", 120)
    operation_id = world.stored_operations()[0]["id"]
    assert _cancel(world, operation_id)["operation"]["status"] == "cancelled"
    world.pass_time(timedelta(minutes=20).total_seconds())
    assert world.stored_operations()[0]["cancel_pending"] is False
    assert world.active_executions() == []


@pytest.mark.slow
def test_a_note_deleted_or_untagged_before_the_create_spends_nothing(world: World) -> None:
    world.faults.outage("workflows", 60)
    note_id = world.write_note(QUESTION, "research")
    world.until(lambda: _created(world))
    assert world.act(lambda: world.http.delete(f"/api/v1/notes/{note_id}")).status_code == 204
    world.until(world.finished)
    assert world.stored_operations()[0]["status"] == "cancelled"
    assert world.paid_runs == []
