"""Every status of the service has an answer, and none makes the run hang."""

from __future__ import annotations

from datetime import timedelta

import pytest

from infra.local.aiplatform.script import HttpFailure, Script
from tests.e2e.world import World

pytestmark = pytest.mark.slow
"""Each status, and what becomes of it, is also a case of the polling's own tests."""
TEXT = {"type": "model_output", "content": [{"type": "text", "text": "Fourteen hours are enough."}]}
CITED = {
    "type": "model_output",
    "content": [
        {
            "type": "text",
            "text": "Fourteen hours are enough.",
            "annotations": [
                {
                    "type": "url_citation",
                    "url": "https://bread.example/cold",
                    "title": "Cold",
                    "start_index": 0,
                    "end_index": 26,
                }
            ],
        }
    ],
}


def slow(*values: object) -> list[object]:
    """Further values of a parameter, for the whole suite only."""
    return [pytest.param(value, marks=pytest.mark.slow) for value in values]


DEADLINE = timedelta(minutes=20)


@pytest.fixture
def settings() -> dict[str, str]:
    """A shorter deadline than the 125 minutes of production, which test_long_runs.py waits for."""
    return {"RESEARCH_DEADLINE_SECONDS": str(DEADLINE.total_seconds())}


def _ends_as(status: str, *steps: dict) -> Script:
    return Script(name=status, statuses=((0, "in_progress"), (30, status)), steps=steps, run_seconds=30)


@pytest.mark.parametrize("passing", ["queued", "idle", "no_one_knows"])
def test_a_status_that_passes_is_waited_for(world: World, passing: str) -> None:
    script = Script(statuses=((0, passing), (120, "completed")), steps=(CITED,), run_seconds=120)
    assert world.research(script)["status"] == "completed"


@pytest.mark.parametrize(
    "status", ["no_one_knows", "requires_continuation", "requires_action", *slow("queued", "idle", "in_progress")]
)
def test_a_status_that_never_changes_ends_the_operation_within_the_deadline(world: World, status: str) -> None:
    script = Script(statuses=((0, status),), steps=(), run_seconds=30)
    operation = world.research(script)
    assert operation["status"] == "failed"
    assert operation["error"]["message"]
    assert operation["finished_at"] - operation["created_at"] <= DEADLINE + timedelta(minutes=2)


@pytest.mark.parametrize("status", ["incomplete", "budget_exceeded"])
def test_a_run_that_stopped_early_keeps_what_there_was_as_a_partial_note(world: World, status: str) -> None:
    operation = world.research(_ends_as(status, CITED))
    assert operation["status"] == "failed"
    (partial,) = world.notes("research")
    assert partial["partial"] is True
    assert partial["id"] == operation["result_note_id"]
    assert "research-report" not in partial["tags"]


def test_a_run_cancelled_at_the_service_ends_the_operation(world: World) -> None:
    assert world.research(_ends_as("cancelled"))["status"] in ("cancelled", "failed")


def test_a_failure_without_a_report_phase_is_final(world: World) -> None:
    script = Script(
        statuses=((0, "in_progress"), (30, "failed")),
        steps=(),
        errors=({"code": "3", "message": "no"},),
        run_seconds=30,
    )
    operation = world.research(script)
    assert operation["status"] == "failed"
    assert len(world.paid_runs) == 1


def test_a_hard_failure_in_the_report_phase_is_tried_once_more(world: World) -> None:
    broken = Script(
        statuses=((0, "in_progress"), (30, "failed")),
        steps=(TEXT,),
        errors=({"code": "13", "message": "internal"},),
        run_seconds=30,
    )
    operation = world.research(broken, _ends_as("completed", CITED))
    assert operation["status"] == "completed"
    assert [attempt["reason"] for attempt in operation["interactions"]] == ["first", "report_phase_failure"]


def test_a_second_hard_failure_is_final(world: World) -> None:
    broken = Script(
        statuses=((0, "in_progress"), (30, "failed")),
        steps=(TEXT,),
        errors=({"code": "13", "message": "internal"},),
        run_seconds=30,
    )
    operation = world.research(broken, broken)
    assert operation["status"] == "failed"
    assert len(world.paid_runs) == 2


def test_a_completed_run_without_text_is_a_failure(world: World) -> None:
    operation = world.research(_ends_as("completed"))
    assert operation["status"] == "failed"
    assert world.notes("research") == []


def test_a_report_without_evidence_is_a_failure_that_keeps_the_text_as_partial(world: World) -> None:
    operation = world.research(_ends_as("completed", TEXT))
    assert operation["status"] == "failed"
    (partial,) = world.notes("research")
    assert partial["partial"] is True


@pytest.mark.parametrize("status", [404, *slow(403, 500)])
def test_a_get_that_keeps_failing_ends_the_operation_after_a_bounded_time(world: World, status: int) -> None:
    operation = world.research(Script(get_failures=(HttpFailure(status, times=None),), run_seconds=30))
    assert operation["status"] == "failed"
    assert operation["finished_at"] - operation["created_at"] <= timedelta(minutes=15)
    assert len(world.paid_runs) == 1


def test_some_failing_gets_are_survived(world: World) -> None:
    failures = (HttpFailure(500, times=2), HttpFailure(404, times=2), HttpFailure(429, times=1, retry_after=604800))
    script = Script(
        get_failures=failures, statuses=((0, "in_progress"), (60, "completed")), steps=(CITED,), run_seconds=60
    )
    assert world.research(script)["status"] == "completed"


def test_a_create_that_is_answered_with_plain_json_gives_its_id_all_the_same(world: World) -> None:
    script = Script(create_answer="plain_json", statuses=((0, "in_progress"), (9, "completed")), steps=(CITED,))
    operation = world.research(script)
    assert operation["status"] == "completed"
    assert len(world.paid_runs) == 1


@pytest.mark.parametrize("answer", ["lost", "hang"])
def test_a_create_whose_answer_was_lost_is_tried_again_once(world: World, answer: str) -> None:
    operation = world.research(Script(name="first", create_answer=answer, run_seconds=30), _ends_as("completed", CITED))
    assert operation["status"] == "completed"
    assert len(operation["interactions"]) == 2


def test_two_lost_creates_end_the_operation(world: World) -> None:
    operation = world.research(Script(create_answer="lost"), Script(create_answer="lost"))
    assert operation["status"] == "failed"
    assert len(world.paid_runs) == 2


@pytest.mark.parametrize("status", [400, 401, 403])
def test_a_refused_create_fails_with_what_to_do(world: World, status: int) -> None:
    """A 400 may be about the webhook: the create is tried once more without it."""
    operation = world.research_refused(HttpFailure(status, times=2 if status == 400 else 1))
    assert operation["status"] == "failed"
    assert operation["error"]["message"]
    assert world.paid_runs == []


def test_a_create_refused_for_load_is_tried_until_it_is_taken(world: World) -> None:
    script = Script(
        create_failures=(HttpFailure(429, times=3, retry_after=2),),
        statuses=((0, "completed"),),
        steps=(CITED,),
        run_seconds=1,
    )
    assert world.research(script)["status"] == "completed"
    assert len(world.paid_runs) == 1
