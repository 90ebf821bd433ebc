"""RESEARCH_ENGINE=agent: the same tag, operation, events and report note come from an agent run."""

from __future__ import annotations

import pytest

from tests.e2e.world import QUESTION, World


@pytest.fixture
def settings() -> dict[str, str]:
    return {"RESEARCH_ENGINE": "agent", "ALLOW_INTERNET_ACCESS": "off"}


@pytest.mark.slow
def test_a_tagged_note_is_researched_by_an_agent_run(world: World) -> None:
    source = world.write_note(QUESTION, "research", title="How long should the dough rest?")
    world.until(world.finished)
    world.settle()
    (operation,) = world.stored_operations()
    assert operation["status"] == "completed", operation["error"]
    assert world.paid_runs == [], "Deep Research was not asked"
    report = world.note(operation["result_note_id"])
    assert report["kind"] == "research" and report["source_note_id"] == source
    assert report["tags"][0] == "research-report" and "## Sources" in report["body"]
    titles = {one["title"] for one in report["citations"]}
    assert titles & {"Cold retard log", "Rye in sourdough"}
    events = world.request(
        "GET", f"/api/v1/operations/{operation['id']}/events", headers={"Accept": "application/json"}
    )["events"]
    told = [event["data"]["text"] for event in events if event["type"] == "thought"]
    assert any(text.startswith("The plan: ") for text in told) and any(text.startswith("Done: ") for text in told)
    assert events[-1]["type"] == "completed" and operation["usage"]["input_tokens"] > 0
    (run,) = world.request("GET", "/api/v1/agent_runs")["runs"]
    assert run["operation_id"] == operation["id"] and run["answer_note_id"] is None, "one report, not two notes"
    assert world.notes("answer") == []


@pytest.mark.slow
def test_research_that_finds_nothing_fails_with_the_run_s_words(world: World) -> None:
    world.write_note("What is quantum chromodynamics?", "research", title="Quantum chromodynamics")
    world.until(world.finished)
    world.settle()
    (operation,) = world.stored_operations()
    assert operation["status"] == "failed" and "source" in operation["error"]["message"], operation["error"]
    assert operation["usage"]["input_tokens"] > 0, "what was paid for is counted"


@pytest.mark.slow
def test_a_cancelled_operation_cancels_its_run(world: World) -> None:
    from infra.local.aiplatform.model_script import ModelScript, pause, say

    note_id = world.write_note(QUESTION)
    world.settle()  # its summary is asked for as JSON too, and is not to take what the plan is to meet
    world.platform.script_model(ModelScript(items=(pause(1_000), say("{}")), asks="json"))
    world.request("PATCH", f"/api/v1/notes/{note_id}", json={"add_tags": ["research"]})

    def planned() -> bool:
        runs = list(world.firestore.collection("workspaces/demo/agent_runs").stream())
        return bool(runs) and (runs[0].to_dict() or {})["status"] == "planning"

    world.until(planned)
    (operation,) = world.stored_operations()
    world.request("POST", f"/api/v1/operations/{operation['id']}/cancel")
    world.settle()
    (run,) = world.request("GET", "/api/v1/agent_runs")["runs"]
    assert run["status"] == "cancelled" and run["operation_id"] == operation["id"]
