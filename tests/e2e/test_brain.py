"""Notes and turns become jobs of the brain, and workflows/brain.yaml drains them, hour after hour if need be."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from google.cloud.workflows.executions_v1 import Execution, ExecutionsClient
from google.cloud.workflows.executions_v1.services.executions.transports import ExecutionsGrpcTransport

from shared.brain.agent import Desk, NewJob, Outcome
from shared.errors import Transient
from tests.e2e.brains import Anything, agent, drain_lease, play, stored_jobs
from tests.e2e.world import PROJECT, WORKSPACE, World


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    made.close()


def executions(world: World) -> list[Execution]:
    client = ExecutionsClient(transport=ExecutionsGrpcTransport(channel=world.channel))
    return list(client.list_executions(parent=f"projects/{PROJECT}/locations/us-central1/workflows/brain"))


def ended(world: World, number: int) -> bool:
    jobs = stored_jobs(world)
    return len(jobs) == number and all(job["status"] in ("done", "failed", "cancelled") for job in jobs)


def echo(given: Anything, _desk: Desk) -> Outcome:
    return Outcome({"text": str(given.source.get("id", ""))})


def test_a_note_becomes_a_job_that_the_workflow_works_on_and_then_ends(world: World) -> None:
    play(agent("cognitive_extractor", echo))
    note_id = world.write_note("I moved to Lisbon in May.")
    world.until(lambda: ended(world, 1), timedelta(minutes=2))
    world.settle()

    (job,) = stored_jobs(world)
    assert (job["status"], job["kind"], job["output"]) == ("done", "cognitive_extractor", {"text": note_id})
    assert job["input"]["source"] == {"kind": "note", "id": note_id, "session_id": None}
    assert (job["run_after"] - job["created_at"]).total_seconds() == pytest.approx(10, abs=1)
    (execution,) = executions(world)
    assert execution.state == Execution.State.SUCCEEDED and drain_lease(world)["execution"] is None


def test_only_what_a_person_wrote_is_sensed_and_once_for_each_text(world: World) -> None:
    play(agent("cognitive_extractor", echo))
    note_id = world.write_note("I like rye.", "bread")
    world.until(lambda: ended(world, 1), timedelta(minutes=2))
    world.request("PATCH", f"/api/v1/notes/{note_id}", json={"tags": ["bread", "food"]})
    world.settle()
    assert len(stored_jobs(world)) == 1
    world.request("PATCH", f"/api/v1/notes/{note_id}", json={"body": "I like spelt."})
    world.until(lambda: ended(world, 2), timedelta(minutes=2))
    report = {"id": "r1", "kind": "report", "title": "R", "body": "B", "updated_at": world.clock.now()}
    world.firestore.document(f"workspaces/{WORKSPACE}/notes/r1").set(report | {"created_at": world.clock.now()})
    world.settle()
    assert len(stored_jobs(world)) == 2


def test_a_note_that_is_gone_is_forgotten_and_one_that_is_there_again_is_not(world: World) -> None:
    asked: list[Any] = []

    def forget(given: Anything, _desk: Desk) -> Outcome:
        asked.append(dict(given.forget))
        return Outcome({})

    play(agent("committer", forget))
    note_id = world.write_note("I like rye.")
    world.settle()
    world.act(lambda: world.http.delete(f"/api/v1/notes/{note_id}"))
    world.until(lambda: ended(world, 1), timedelta(minutes=2))
    assert asked == [{"kind": "note", "id": note_id}]


def test_a_finished_turn_becomes_a_job(world: World) -> None:
    play(agent("cognitive_extractor", echo))
    session = world.request("POST", "/api/v1/chat/sessions", json={})["session"]["id"]
    url = f"/api/v1/chat/sessions/{session}/messages"
    answer = world.act(lambda: world.http.post(url, json={"text": "My sister is called Ana."}))
    assert answer.status_code < 400, answer.text
    world.until(lambda: ended(world, 1), timedelta(minutes=5))
    (job,) = stored_jobs(world)
    source = job["input"]["source"]
    assert (source["kind"], source["session_id"], job["status"]) == ("turn", session, "done")


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_what_fails_for_hours_is_tried_for_hours_and_others_are_not_held_up(world: World) -> None:
    begun, tries = world.clock.now(), list[Any]()

    def weak(_given: Anything, desk: Desk) -> Outcome:
        tries.append(desk.now())
        if desk.now() - begun < timedelta(hours=3):
            raise Transient("The model is away.")
        return Outcome({})

    brain = play(agent("weak", weak, max_attempts=1_000), agent("cognitive_extractor", echo))
    job = world.act(lambda: brain.enqueue(WORKSPACE, NewJob("weak", {})))
    for _ in range(2):
        world.pass_time(3_600)
    note_id = world.write_note("In between.")
    world.pass_time(120)
    assert [one["status"] for one in stored_jobs(world) if one["kind"] != "weak"] == ["done"], note_id
    for _ in range(2):
        world.pass_time(3_600)
    assert ended(world, 2)
    world.settle()

    (weak_job,) = [one for one in stored_jobs(world) if one["id"] == job.id]
    assert weak_job["status"] == "done" and 30 < weak_job["attempts"] < 45
    waits = [(later - earlier).total_seconds() for earlier, later in zip(tries, tries[1:], strict=False)]
    assert all(60 <= wait <= 365 for wait in waits), "five minutes, and at most a minute until the next look"
    assert {one.state for one in executions(world)} == {Execution.State.SUCCEEDED}
    assert drain_lease(world)["execution"] is None
