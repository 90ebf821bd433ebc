"""Events come more than once, late and in the wrong order; what follows from them happens once."""

from __future__ import annotations

import pytest

from tests.e2e.world import QUESTION, World


def _one_of_each(world: World) -> None:
    (operation,) = world.stored_operations()
    assert operation["status"] == "completed", operation["error"]
    assert len(world.paid_runs) == 1
    assert len(world.notes("research")) == 1


def test_each_event_three_times_at_once_makes_one_of_each(world: World) -> None:
    world.faults.duplicate_events(2)
    world.research()
    _one_of_each(world)


@pytest.mark.slow
def test_the_tagging_event_repeated_ten_minutes_after_the_end_starts_nothing(world: World) -> None:
    world.faults.duplicate_events(1, function="on-note-written")
    world.faults.delay_events(600, function="on-note-written", times=1)
    world.write_note(QUESTION, "research")
    world.until(world.finished)
    world.pass_time(1200)
    _one_of_each(world)


@pytest.mark.slow
def test_an_event_overtaken_by_a_later_edit_still_starts_the_research(world: World) -> None:
    world.faults.delay_events(90, function="on-note-written", times=1)
    note_id = world.write_note(QUESTION, "research")
    world.request("PATCH", f"/api/v1/notes/{note_id}", json={"title": "Edited meanwhile"})
    world.until(world.finished)
    world.settle()
    _one_of_each(world)


@pytest.mark.slow
def test_a_lost_tagging_event_is_found_by_the_sweep(world: World) -> None:
    world.faults.drop_events(function="on-note-written", times=1)
    world.write_note(QUESTION, "research")
    world.until(world.finished)
    world.settle()
    _one_of_each(world)


@pytest.mark.slow
def test_a_late_event_after_the_sweep_has_started_the_research_starts_nothing(world: World) -> None:
    world.faults.delay_events(1500, function="on-note-written", times=1)
    world.write_note(QUESTION, "research")
    world.until(world.finished)
    world.pass_time(3000)
    _one_of_each(world)


@pytest.mark.slow
def test_workflows_away_for_a_minute_at_the_start_only_delays(world: World) -> None:
    world.faults.outage("workflows", 60)
    operation = world.research()
    assert operation["status"] == "completed"
    assert operation["error"] is None
    _one_of_each(world)


@pytest.mark.slow
def test_pubsub_away_loses_no_trace_event(world: World) -> None:
    world.faults.outage("pubsub", 120)
    operation = world.research()
    assert operation["status"] == "completed"
    world.pass_time(1800)
    assert world.eventarc.counts()["trace-fanout"] == {"delivered": world.count_events()}


@pytest.mark.slow
def test_a_lost_answer_of_the_execution_start_leaves_one_report(world: World) -> None:
    world.faults.lost_answer("CreateExecution")
    world.research()
    world.pass_time(1200)
    _one_of_each(world)


@pytest.mark.slow
def test_lost_answers_of_commits_leave_one_of_each(world: World) -> None:
    world.faults.lost_answer("Commit", times=6)
    world.write_note(QUESTION, "research")
    world.until(world.finished)
    world.pass_time(1200)
    _one_of_each(world)
