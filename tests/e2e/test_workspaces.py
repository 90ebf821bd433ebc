"""A workspace is deleted while work runs in it: the work ends, nothing is left, and nothing begins of it."""

from __future__ import annotations

from typing import Any

import pytest

from infra.local.aiplatform.script import Script
from tests.e2e.world import World

pytestmark = pytest.mark.slow


def below(world: World, path: str) -> dict[str, Any]:
    """Every document at and below a path, with what is in it."""
    found: dict[str, Any] = {}
    pending = [world.firestore.document(path)]
    while pending:
        one = pending.pop()
        snapshot = one.get()
        if snapshot.exists:
            found[one.path] = snapshot.to_dict()
        for collection in one.collections():
            pending += list(collection.list_documents())
    return found


def deletion(world: World) -> dict[str, Any]:
    return world.firestore.document("workspace_deletions/demo").get().to_dict() or {}


def test_a_workspace_in_which_research_runs_is_deleted_and_nothing_is_left_or_begins(world: World) -> None:
    world.platform.script_interaction(Script(run_seconds=3600))
    world.write_note("How does rye rise?", "research")
    world.until(lambda: bool(world.paid_runs))
    world.settle()
    before = below(world, "workspaces/demo")

    answer = world.act(lambda: world.http.request("DELETE", "/api/v1/workspace", json={"now": True}))
    assert answer.status_code == 202, answer.text
    world.until(lambda: deletion(world).get("status") == "completed")
    world.settle()

    assert below(world, "workspaces/demo") == {}
    assert world.active_executions() == []
    shown = world.request("GET", "/api/v1/workspace")["workspace"]["deletion"]
    assert shown["stopped"] >= 1 and shown["documents"] >= len(before)
    refused = world.act(lambda: world.http.post("/api/v1/notes", json={"body": "Too late"}))
    assert (refused.status_code, refused.json()["error"]["code"]) == (410, "workspace_closed")
    world.pass_time(7200)
    assert below(world, "workspaces/demo") == {}
    assert len(world.paid_runs) == 1


def test_a_workspace_that_is_marked_is_read_restored_and_written_again(world: World) -> None:
    before = below(world, "workspaces/demo")
    world.request("DELETE", "/api/v1/workspace")
    world.settle()
    assert world.request("GET", "/api/v1/workspace")["workspace"]["deletion"]["status"] == "marked"
    assert len(world.notes("capture")) == len([one for one in before if one.count("/") == 3 and "/notes/" in one])
    world.request("POST", "/api/v1/workspace/restore")
    world.pass_time(10)
    world.write_note("I am back.")
