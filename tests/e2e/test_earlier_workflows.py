"""Executions that were started before a deploy, with the YAML of then, end well with the functions of today."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from infra.local.aiplatform.script import Script
from tests.corpus.shapes import WORKFLOWS
from tests.e2e.world import World

pytestmark = pytest.mark.slow


@pytest.fixture
def settings() -> dict[str, str]:
    return {"ALLOW_AGENT_RUNS": "on"}


def deploy(world: World, name: str, source: Path) -> None:
    """Make it what new executions run, in the environment that the workflow has."""
    workflows = world.cloud.services.workflows
    latest = workflows._store.latest(name)
    assert latest is not None
    workflows.deploy(name, source, latest.environment, latest.service_account)


def earlier(world: World, name: str) -> Path:
    """The first YAML that real runs were started with is deployed; what it is to be replaced by."""
    (source,) = WORKFLOWS.glob(f"{name}.*.yaml")
    deploy(world, name, source)
    return Path(__file__).parents[2] / "workflows" / f"{name}.yaml"


def test_research_begun_before_a_deploy_ends_after_it(world: World) -> None:
    today = earlier(world, "research")
    world.platform.script_interaction(Script(run_seconds=900))
    world.write_note("How long should a sourdough rest?", "research", title="Rest")
    world.until(lambda: bool(world.paid_runs))
    deploy(world, "research", today)
    world.until(world.finished)
    (operation,) = world.stored_operations()
    assert (operation["status"], operation["launches"]) == ("completed", 1)
    world.settle()
    assert world.active_executions() == []


def test_an_extraction_by_the_first_workflow_ends(world: World) -> None:
    earlier(world, "extract")
    text = "\n\n".join(f"Paragraph {n} about rye." for n in range(400))
    files = {"file": ("rye.txt", text.encode())}
    document = world.request("POST", "/api/v1/documents", files=files, headers={"Idempotency-Key": "k1"})["document"]
    path = f"/api/v1/documents/{document['id']}"
    world.until(world.finished)
    found = world.request("GET", path)["document"]
    assert found["status"] == "ready", json.dumps(found)


def test_an_agent_run_by_the_first_workflow_ends(world: World) -> None:
    earlier(world, "agent_run")
    run = world.request("POST", "/api/v1/agent_runs", json={"goal": "What do my notes say of rye?"})["run"]
    reference = world.firestore.document(f"workspaces/demo/agent_runs/{run['id']}")
    world.until(lambda: reference.get().to_dict()["status"] not in ("queued", "planning", "running", "synthesising"))
    assert reference.get().to_dict()["status"] == "succeeded"


def test_a_turn_watched_over_by_the_first_workflow_ends(world: World) -> None:
    earlier(world, "turn")
    session = world.request("POST", "/api/v1/chat/sessions", json={})["session"]
    path = f"/api/v1/chat/sessions/{session['id']}/messages"
    headers = {"Accept": "application/json", "Idempotency-Key": "m1"}
    done = world.request("POST", path, json={"text": "What do my notes say of rye?"}, headers=headers)
    assert done["status"] == "completed", json.dumps(done)[:500]


def test_the_brain_is_drained_by_the_first_workflow(world: World) -> None:
    world.settle()
    earlier(world, "brain")
    world.write_note("I decided to feed the starter each morning at seven.", title="Starter")
    jobs = world.firestore.collection("workspaces/demo/memory_jobs")
    world.until(lambda: any((one.to_dict() or {}).get("status") == "done" for one in jobs.stream()))
    world.until(lambda: not any(one.to_dict()["status"] in ("pending", "running") for one in jobs.stream()))
    assert not [one.to_dict() for one in jobs.stream() if one.to_dict()["status"] == "failed"]
