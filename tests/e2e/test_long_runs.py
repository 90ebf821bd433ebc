"""Runs as long as the service allows, and longer, with production's own limits."""

from __future__ import annotations

from datetime import timedelta

import pytest

from infra.local.aiplatform.script import Script
from tests.e2e.test_statuses import CITED
from tests.e2e.world import World


@pytest.mark.slow
def test_a_run_of_two_hours_is_followed_to_its_end(world: World) -> None:
    script = Script(statuses=((0, "in_progress"), (7200, "completed")), steps=(CITED,), run_seconds=7200)
    operation = world.research(script)
    assert operation["status"] == "completed"
    assert operation["finished_at"] - operation["created_at"] >= timedelta(hours=2)
    assert operation["attempts"] <= 300


@pytest.mark.slow
def test_a_run_without_an_end_is_given_up_five_minutes_after_the_services_own_cap(world: World) -> None:
    operation = world.research(Script(statuses=((0, "in_progress"),), steps=(), run_seconds=30))
    assert operation["status"] == "failed"
    lasted = operation["finished_at"] - operation["created_at"]
    assert timedelta(minutes=125) <= lasted <= timedelta(minutes=127)
    assert operation["attempts"] <= 300
