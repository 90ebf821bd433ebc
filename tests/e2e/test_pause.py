"""Spending is paused in the middle of work: no paid unit is on the bill from then on, and all of it ends well later."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from infra.local.aiplatform.model_script import ModelScript, call, pause, say
from infra.local.aiplatform.script import Script
from tests.e2e.test_statuses import CITED
from tests.e2e.world import QUESTION, TERMINAL, WORKSPACE, World

RUNS = "/api/v1/agent_runs"
WAIT_SECONDS = 3 * 3600.0
"""Longer than any run or turn may take."""


@pytest.fixture
def settings() -> dict[str, str]:
    return {"ALLOW_AGENT_RUNS": "on", "ALLOW_INTERNET_ACCESS": "off"}


def switch(world: World, paused: bool, reason: str = "") -> dict[str, Any]:
    answer = world.request("PUT", "/api/v1/spending", json={"paused": paused, "reason": reason})
    assert answer["paused"] is paused and answer["workspace"]["by"]
    return dict(answer)


def paid(world: World) -> dict[str, float]:
    """What of the bill is the model platform's."""
    return {unit: n for (service, unit), n in world.cloud.seams.meter.totals().items() if service == "aiplatform"}


def free_while_paused(world: World, seconds: float = WAIT_SECONDS) -> None:
    """Whatever is under way ends its call; after that nothing is paid for."""
    world.pass_time(180)
    before = paid(world)
    world.pass_time(seconds)
    assert paid(world) == before


def run_of(world: World, run_id: str) -> dict[str, Any]:
    return dict(world.request("GET", f"{RUNS}/{run_id}")["run"])


def until_ended(world: World, ended: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    for _ in range(200):
        found = ended()
        if found["status"] in (*TERMINAL, "succeeded"):
            return found
        world.pass_time(30)
    raise AssertionError("it did not end")


@pytest.mark.slow
def test_research_that_is_asked_for_while_spending_is_paused_waits_and_is_done_after_it(world: World) -> None:
    world.settle()
    switch(world, paused=True, reason="the budget alert")
    world.write_note(QUESTION, "research")
    free_while_paused(world, 26 * 3600.0)  # longer than an operation may wait for its first execution
    (operation,) = world.stored_operations()
    assert operation["status"] == "running" and operation["error"]["code"] == "spending_paused"
    assert operation["launches"] <= 1 and world.paid_runs == [] and world.active_executions() == []
    switch(world, paused=False)
    world.until(world.finished)
    (operation,) = world.stored_operations()
    assert operation["status"] == "completed" and operation["error"] is None and len(world.paid_runs) == 1


@pytest.mark.slow
def test_a_research_run_under_way_is_read_to_its_end_and_a_second_one_is_not_begun(world: World) -> None:
    world.platform.script_interaction(
        Script(statuses=((0, "in_progress"), (900, "completed")), steps=(CITED,), run_seconds=900)
    )
    world.write_note(QUESTION, "research")
    world.until(lambda: len(world.paid_runs) == 1)
    switch(world, paused=True)
    world.pass_time(3600)
    (operation,) = world.stored_operations()
    assert operation["status"] == "completed"
    world.write_note(QUESTION, "research")
    world.pass_time(3600)
    assert len(world.paid_runs) == 1


def planned(*tasks: str) -> ModelScript:
    steps = [{"id": f"s{n}", "title": task, "task": task, "tool": "sub_agent", "depends_on": []} for n, task in
             enumerate(tasks)]  # fmt: skip
    return ModelScript(items=(say(json.dumps({"steps": steps})),), asks="json", about="<goal>")


@pytest.mark.slow
def test_a_run_that_is_paused_between_two_answers_goes_on_where_it_was(world: World) -> None:
    world.firestore.document(f"workspaces/{WORKSPACE}").set({"plan": "pro"}, merge=True)
    world.settle()
    world.platform.script_model(
        planned("What the rye does"),
        ModelScript(items=(pause(60), call("search_notes", query="rye")), asks="tools", about="What the rye does"),
    )
    run_id = world.request("POST", RUNS, json={"goal": "How does rye change a dough?"})["run"]["id"]
    world.until(lambda: world.platform.unused_scripts() == [])
    switch(world, paused=True)
    free_while_paused(world)
    waiting = run_of(world, run_id)
    assert waiting["status"] == "running" and waiting["error"] is None
    switch(world, paused=False)
    ended = until_ended(world, lambda: run_of(world, run_id))
    assert ended["status"] == "succeeded" and ended["stop_reason"] == "end", ended["error"]
    assert all(step["attempt"] == 1 for step in ended["steps"])


@pytest.mark.slow
def test_a_run_that_is_asked_for_while_spending_is_paused_is_done_after_it(world: World) -> None:
    world.firestore.document(f"workspaces/{WORKSPACE}").set({"plan": "pro"}, merge=True)
    world.settle()
    switch(world, paused=True)
    run_id = world.request("POST", RUNS, json={"goal": "How does rye change a dough?"})["run"]["id"]
    free_while_paused(world)
    assert run_of(world, run_id)["status"] == "queued"
    switch(world, paused=False)
    ended = until_ended(world, lambda: run_of(world, run_id))
    assert ended["status"] == "succeeded", ended["error"]


@pytest.mark.slow
def test_the_chat_says_that_spending_is_paused_and_answers_again_after_it(world: World) -> None:
    session = world.request("POST", "/api/v1/chat/sessions", json={})["session"]["id"]
    path, headers = f"/api/v1/chat/sessions/{session}/messages", {"Accept": "application/json"}
    world.settle()
    switch(world, paused=True)
    refused = world.act(lambda: world.http.post(path, json={"text": "Hello!"}, headers=headers))
    assert refused.status_code == 503 and refused.json()["error"]["code"] == "spending_paused"
    free_while_paused(world)
    switch(world, paused=False)
    turn = world.request("POST", path, json={"text": "Hello!"}, headers=headers)
    assert turn["status"] == "completed"


def test_a_turn_that_is_paused_between_two_answers_ends_and_says_so(world: World) -> None:
    session = world.request("POST", "/api/v1/chat/sessions", json={})["session"]["id"]
    path, headers = f"/api/v1/chat/sessions/{session}/messages", {"Accept": "application/json"}
    asked = "What did I write of rye?"
    world.settle()
    world.platform.script_model(
        ModelScript(items=(pause(30), call("search_notes", query="rye")), asks="tools", about=asked)
    )
    world.clock.call_later(10, lambda: _pause_past_the_product(world), "pause")
    turn = world.request("POST", path, json={"text": asked}, headers=headers)
    assert turn["status"] == "failed" and turn["error"]["code"] == "spending_paused"
    assert [event["type"] for event in turn["trace"]].count("tool_result") == 1
    free_while_paused(world, 600)


def _pause_past_the_product(world: World) -> None:
    """As a person does it in the console."""
    world.firestore.document("system/spending").set({"paused": True, "reason": "by hand"})


@pytest.mark.slow
def test_notes_are_indexed_at_once_and_described_once_spending_goes_on(world: World) -> None:
    world.settle()
    _pause_past_the_product(world)
    note_id = world.write_note("Rye bread is dark, and it keeps for a week.", "baking", title="Rye bread")
    free_while_paused(world, 1800)
    index = world.firestore.document(f"workspaces/{WORKSPACE}/note_index/{note_id}")
    before = index.get().to_dict() or {}
    assert before["terms"] and before["content_hash"] == ""
    world.firestore.document("system/spending").set({"paused": False})
    world.until(lambda: bool((index.get().to_dict() or {})["content_hash"]))
    assert (index.get().to_dict() or {})["summary_model"]


@pytest.mark.slow
def test_jobs_of_the_brain_wait_with_all_their_attempts(world: World) -> None:
    world.settle()
    switch(world, paused=True)
    world.write_note("I prefer rye bread over wheat bread, and have done so for years.", title="Bread")
    free_while_paused(world)
    jobs = [doc.to_dict() or {} for doc in world.firestore.collection(f"workspaces/{WORKSPACE}/memory_jobs").stream()]
    waiting = [job for job in jobs if job["status"] == "pending"]
    assert waiting and all(job["attempts"] == 0 for job in waiting)
    assert not any(job["status"] == "failed" for job in jobs)
    switch(world, paused=False)

    def done() -> bool:
        found = world.firestore.collection(f"workspaces/{WORKSPACE}/memory_jobs").stream()
        return all((one.to_dict() or {})["status"] == "done" for one in found)

    world.until(done)
