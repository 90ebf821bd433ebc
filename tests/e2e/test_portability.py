"""A workspace in the middle of its work goes out, comes into another one, and begins nothing there."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from infra.cli.address import Address
from infra.cli.client import ApiClient
from infra.cli.portability import taking_in, taking_out
from infra.cli.portability.reading import Reader
from infra.cli.portability.telling import Steps
from shared.store.collections import collection_of
from tests.e2e.world import World
from tests.support import files

SECOND = "second"
QUIET = Steps(quiet=True)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path / "data", API_TOKENS=f"{hashlib.sha256(SECOND.encode()).hexdigest()}={SECOND}")
    yield made
    made.close()


def client_of(world: World, token: str) -> ApiClient:
    return ApiClient(Address(http=world.address.http, grpc=world.address.grpc, token=token), timeout_seconds=120)


def paths(world: World, below: Any) -> Iterator[str]:
    """Every document below a reference, at any depth."""
    for collection in below.collections():
        for one in collection.list_documents():
            if one.get().exists:
                yield one.path.split("/", 2)[2]
            yield from paths(world, one)


def worked(world: World) -> None:
    """Something of most kinds, and research, a turn's memories and an upload under way."""
    world.write_note("Rye flour rises slowly, over eight hours.", "bread", title="Rye")
    world.write_note("I moved to Lisbon in May. I bake with rye.", title="Lisbon")
    session = world.request("POST", "/api/v1/chat/sessions", json={})["session"]["id"]
    world.act(
        lambda: world.http.post(
            f"/api/v1/chat/sessions/{session}/messages",
            json={"text": "What do I know about rye?"},
            headers={"Accept": "application/json"},
        )
    )
    world.act(lambda: world.http.post("/api/v1/documents", files={"file": ("lease.pdf", files.pdf(["Ends in May."]))}))
    world.request("POST", "/api/v1/tasks", json={"title": "Buy flour"})
    gone = world.write_note("To be thrown away.")
    world.act(lambda: world.http.delete(f"/api/v1/notes/{gone}"))
    world.settle()
    world.write_note("How long should rye rest?", "research", title="Rest")
    world.pass_time(12)


def operations(world: World, workspace: str) -> list[dict[str, Any]]:
    return [one.to_dict() or {} for one in world.firestore.collection(f"workspaces/{workspace}/operations").stream()]


@pytest.mark.slow
def test_a_workspace_at_work_is_taken_along_at_rest_and_nothing_begins_where_it_comes_in(
    world: World, tmp_path: Path
) -> None:
    worked(world)
    assert any(one["status"] == "running" for one in operations(world, "demo"))
    unlisted = [path for path in paths(world, world.firestore.document("workspaces/demo")) if not collection_of(path)]
    assert unlisted == []
    tar = tmp_path / "one.tar"
    with client_of(world, world.address.token) as client:
        world.act(lambda: taking_out.export(client, tar, QUIET))
    world.until(lambda: all(one["status"] != "running" for one in operations(world, "demo")))
    world.settle()
    used = world.request("GET", "/api/v1/usage")
    with client_of(world, SECOND) as client, Reader(tar) as reader:
        how = taking_in.How()
        made = world.act(lambda: taking_in.TakingIn(client, reader, how, QUIET, threading.Event()).run())
        assert made.verified and not made.differing
        before = client.get("/api/v1/usage")
        asked = len(operations(world, SECOND))
        world.pass_time(3600)
        again = world.act(lambda: taking_in.TakingIn(client, reader, how, QUIET, threading.Event()).run())
        assert client.get("/api/v1/usage") == before, "an hour with its sweeps and deliveries has used nothing"
    assert again.verified and set(again.documents) <= {"there", "left_out"}, again.summary()
    found = operations(world, SECOND)
    assert len(found) == asked and {one["status"] for one in found} <= {"completed", "cancelled"}
    assert any((one.get("error") or {}).get("code") == "exported" for one in found)
    assert world.request("GET", "/api/v1/usage") == used
