"""A report is there within seconds of its run's end, and comes to no harm where webhooks do."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from infra.local.aiplatform.script import Script
from tests.e2e.test_statuses import CITED
from tests.e2e.world import World

SOON = timedelta(seconds=2)
PRODUCTION = {"RESEARCH_POLL_MIN_SECONDS": "5"}


@pytest.fixture
def settings() -> dict[str, str]:
    """The waits of production."""
    return PRODUCTION


def ending(status: str = "completed", seconds: float = 1_000.0) -> Script:
    return Script(statuses=((0, "in_progress"), (seconds, status)), steps=(CITED,), run_seconds=seconds)


def late(world: World, operation: dict[str, Any], seconds: float = 1_000.0) -> timedelta:
    """How long after the end of its run the operation ended."""
    record, _ = world.platform._runs.look(operation["interaction_id"])
    finished: datetime = operation["finished_at"]
    return finished - (record.created + timedelta(seconds=seconds))


def test_the_report_is_there_within_two_seconds_of_the_end_and_few_polls_were_made(world: World) -> None:
    operation = world.research(ending())
    assert operation["status"] == "completed"
    assert timedelta(0) <= late(world, operation) <= SOON
    assert (operation["wakes"], operation["wakes_seen"]) == (1, 1)
    assert operation["attempts"] <= 25
    assert [each["state"] for each in world.platform.webhooks.deliveries()] == ["delivered"]


@pytest.mark.slow
@pytest.mark.parametrize("status", ["failed", "incomplete", "budget_exceeded", "requires_action"])
def test_other_ends_are_told_as_well(world: World, status: str) -> None:
    operation = world.research(ending(status))
    assert operation["status"] == "failed" and late(world, operation) <= SOON


@pytest.mark.slow
def test_a_webhook_that_is_lost_costs_the_time_until_the_next_poll(world: World) -> None:
    world.faults.drop_events("webhooks")
    operation = world.research(ending())
    assert operation["status"] == "completed" and operation["wakes"] == 0
    assert timedelta(seconds=2) < late(world, operation) <= timedelta(seconds=121)


@pytest.mark.slow
def test_one_that_comes_three_times_at_once_is_one_wake(world: World) -> None:
    world.faults.duplicate_events(2, "webhooks")
    operation = world.research(ending())
    assert operation["status"] == "completed" and operation["wakes"] == 1
    assert late(world, operation) <= SOON


@pytest.mark.slow
def test_one_that_comes_after_the_end_changes_nothing(world: World) -> None:
    world.faults.delay_events(400, "webhooks")
    operation = world.research(ending())
    world.pass_time(600)
    assert world.stored_operations() == [operation] and operation["wakes"] == 0
    assert [each["state"] for each in world.platform.webhooks.deliveries()] == ["delivered"]


@pytest.mark.slow
def test_while_the_function_is_away_it_is_sent_again(world: World) -> None:
    world.platform.script_interaction(ending(seconds=300.0))
    world.write_note("How long should the dough rest in the fridge?", "research")
    world.pass_time(295)
    world.faults.outage("functions", 20)
    world.until(world.finished)
    [operation] = world.stored_operations()
    assert operation["status"] == "completed" and operation["wakes"] == 1
    assert late(world, operation, 300.0) <= timedelta(seconds=60)


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{**PRODUCTION, "RESEARCH_WEBHOOKS": "off"}])
def test_switched_off_it_is_as_it_was(world: World) -> None:
    operation = world.research(ending())
    assert operation["status"] == "completed" and operation["callback_url"] is None
    assert world.platform.webhooks.deliveries() == []
