"""A plan before money, through HTTP, the trigger, two executions and the emulated agent."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.e2e.world import QUESTION, World

PLANNED = "research:plan"


def waiting(world: World) -> bool:
    return any(operation["status"] == "awaiting_approval" for operation in world.stored_operations())


def planned(world: World) -> dict[str, Any]:
    world.write_note(QUESTION, PLANNED, title="How long should the dough rest?")
    world.until(lambda: waiting(world))
    world.settle()
    (found,) = world.request("GET", "/api/v1/operations", params={"status": "awaiting_approval"})["operations"]
    return dict(found)


def refused(world: World, method: str, path: str, body: dict[str, Any]) -> httpx.Response:
    return world.act(lambda: world.http.request(method, path, json=body))


def test_a_plan_waits_without_an_execution_and_its_approved_words_are_carried_out(world: World) -> None:
    operation = planned(world)
    path = f"/api/v1/operations/{operation['id']}"
    assert "Research plan" in operation["plan"]["text"] and operation["plan"]["estimate_high_usd"] == 3.0
    assert world.active_executions() == [], "nobody is paid for while a person thinks"
    world.pass_time(1800)
    assert len(world.paid_runs) == 1
    edited = world.request("PATCH", f"{path}/plan", json={"text": "1. Ask the rye.", "revision": 1})["operation"]
    assert refused(world, "POST", f"{path}/approve", {"revision": 1}).status_code == 409
    seen = {"revision": edited["plan"]["revision"]}
    assert world.request("POST", f"{path}/approve", json=seen)["changed"] is True
    assert world.request("POST", f"{path}/approve", json=seen)["changed"] is False
    world.until(world.finished)
    world.settle()
    (stored,) = world.stored_operations()
    assert stored["status"] == "completed", stored["error"]
    plan, run = (call for call in world.platform.calls.all() if call.verb == "create")
    assert run.body["previous_interaction_id"] == plan.interaction and "Ask the rye." in run.body["input"]
    titles = {one["title"] for one in world.note(stored["result_note_id"])["citations"]}
    assert titles & {"Cold retard log", "Rye in sourdough"}


@pytest.mark.slow
def test_another_plan_is_made_and_dropped(world: World) -> None:
    operation = planned(world)
    path = f"/api/v1/operations/{operation['id']}"
    world.request("POST", f"{path}/plan", json={"change": "Leave out the crumb.", "revision": 1})
    world.until(lambda: waiting(world))
    plan = world.request("GET", path)["operation"]["plan"]
    assert plan["drafts"] == 2 and "Leave out the crumb." in plan["text"] and plan["planning_usd"] > 0
    answer = world.request("POST", f"{path}/cancel")
    assert answer["message"] == "The plan was dropped."
    world.pass_time(3600)
    assert len(world.paid_runs) == 2 and world.notes("research") == []
    assert world.request("GET", path)["operation"]["plan"]["text"] == plan["text"]


@pytest.mark.slow
def test_a_note_is_researched_by_hand_with_its_plan_first(world: World) -> None:
    note_id = world.write_note(QUESTION)
    for _ in range(2):
        answer = world.request(
            "POST", f"/api/v1/notes/{note_id}/research", json={"plan": True}, headers={"Idempotency-Key": "k"}
        )
    assert answer["operation"]["plan_first"] and len(world.stored_operations()) == 1
    world.until(lambda: waiting(world))


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{"RESEARCH_BACKEND": "vertex"}])
def test_on_vertex_a_plan_that_is_asked_for_is_refused_by_name(world: World) -> None:
    note_id = world.write_note(QUESTION)
    answer = refused(world, "POST", f"/api/v1/notes/{note_id}/research", {"plan": True})
    assert answer.status_code == 400 and answer.json()["error"]["details"]["field"] == "plan"
    assert world.stored_operations() == []
