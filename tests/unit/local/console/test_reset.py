"""Wiping a running local cloud, whole or in part."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.auth.credentials import AnonymousCredentials
from google.cloud import firestore
from google.cloud.firestore_v1.services.firestore import FirestoreClient
from google.cloud.firestore_v1.services.firestore.transports import FirestoreGrpcTransport

from infra.local.cloud import CloudConfig
from infra.local.eventarc.lane import RetryPolicy
from tests.support.waiting import wait_until
from tests.unit.local.console.conftest import ROOT, Desk, desk_of
from tests.unit.local.console.test_executions import SOURCE, execute

TOPIC, OWN = "projects/memex-local/topics/things", "projects/memex-local/topics/own"
SUBSCRIPTION = "projects/memex-local/subscriptions/mine"


@pytest.fixture
def working(tmp_path: Path) -> Iterator[Desk]:
    config = CloudConfig(ROOT, functions="inline", env={"PROBE_RECORDS": str(tmp_path)}, retry=RetryPolicy(600))
    with desk_of(config) as desk:
        yield desk


def events(where: Path) -> list[dict[str, Any]]:
    file = where / "events.jsonl"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def wipe(desk: Desk, *parts: str) -> dict[str, Any]:
    answer = desk.send("POST", "reset", {"parts": list(parts)})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()["wiped"]
    return found


def fill(desk: Desk, tmp_path: Path) -> None:
    """Something in every part."""
    (tmp_path / "greeting.yaml").write_text(SOURCE)
    desk.cloud.services.workflows.deploy("greeting", tmp_path / "greeting.yaml", {}, "")
    execute(desk, '{"name": "you", "seconds": 600}')
    desk.cloud.services.pubsub.ensure_topic(OWN)
    desk.cloud.services.pubsub.ensure_subscription(SUBSCRIPTION, OWN)
    desk.send("POST", "publish", {"topic": OWN, "data": "x"})
    desk.write("workspaces/demo/notes/1", a=1)
    desk.send("POST", "faults", {"kind": "lost_answer", "method": "Listen"})
    model = {"model": "gemini-3.8-flash", "input": "Say one word."}
    desk.http.post("/v1/interactions", json=model, headers={"x-goog-api-key": "local"}).raise_for_status()


def test_everything_is_wiped_and_no_function_hears_of_it(working: Desk, tmp_path: Path) -> None:
    fill(working, tmp_path)
    wait_until(lambda: len(events(tmp_path)) == 2)
    wait_until(lambda: working.cloud.triggers.eventarc.idle)
    wiped = wipe(working, "all")
    assert (wiped["firestore"], wiped["workflows"], wiped["pubsub"], wiped["aiplatform"]) == (2, 1, 1, 1)
    demo = working.get("firestore", path="workspaces/demo")
    assert working.get("firestore")["collections"] == ["workspaces"] and demo["collections"] == []
    assert demo["fields"]["plan"] == "pro"  # there again, as after a start
    assert working.get("executions")["executions"] == []
    assert working.get("deliveries") == {"counts": {}, "newest": []}
    assert [one["name"] for one in working.get("topics")["topics"]] == [TOPIC]
    assert list(working.get("topics")["backlog"]) == ["projects/memex-local/subscriptions/eventarc-on-message"]
    assert working.get("faults")["lost_answers"] == {}
    assert working.get("bill")["services"].get("aiplatform") is None
    wait_until(lambda: working.cloud.triggers.eventarc.idle)
    assert len(events(tmp_path)) == 2


def test_the_functions_go_on_working_after_a_reset(working: Desk, tmp_path: Path) -> None:
    fill(working, tmp_path)
    wait_until(lambda: len(events(tmp_path)) == 2)
    wipe(working, "all")
    working.write("workspaces/demo/notes/1", a=2)
    working.send("POST", "publish", {"topic": TOPIC, "data": "hello"})
    wait_until(lambda: len(events(tmp_path)) == 5)
    assert {event["function"] for event in events(tmp_path)[2:]} == {"on_document", "on_created", "on_message"}
    wait_until(lambda: working.cloud.triggers.eventarc.idle)
    assert working.get("deliveries")["counts"] == {"on-document": {"delivered": 1}, "on-created": {"delivered": 1}}
    execute(working, '{"name": "you", "seconds": 0}')
    wait_until(lambda: working.get("executions")["executions"][0]["state"] == "SUCCEEDED")


def test_only_the_named_part_is_wiped(desk: Desk, tmp_path: Path) -> None:
    fill(desk, tmp_path)
    assert set(wipe(desk, "pubsub", "faults")) == {"pubsub", "faults"}
    assert desk.get("firestore")["collections"] == ["workspaces"]
    assert len(desk.get("executions")["executions"]) == 1
    assert desk.get("topics")["backlog"] == {}
    wipe(desk, "firestore")
    assert desk.get("firestore")["collections"] == []
    assert desk.get("bill")["rows"] != []


def test_a_listener_sees_the_documents_go(desk: Desk) -> None:
    client = firestore.Client(project="memex-local", credentials=AnonymousCredentials())
    transport = FirestoreGrpcTransport(channel=grpc.insecure_channel(desk.cloud.place.grpc))
    client._firestore_api_internal = FirestoreClient(transport=transport)
    for number in range(3):
        desk.write(f"things/{number}", a=number)
    seen: list[int] = []
    watch = client.collection("things").on_snapshot(lambda documents, _changes, _time: seen.append(len(documents)))
    try:
        wait_until(lambda: seen[-1:] == [3])
        wipe(desk, "firestore")
        wait_until(lambda: seen[-1:] == [0])
        desk.write("things/new", a=1)
        wait_until(lambda: seen[-1:] == [1])
    finally:
        watch.unsubscribe()
        transport.close()


def test_the_past_is_wiped_too(desk: Desk) -> None:
    desk.write("things/1", secret="x")
    wipe(desk, "firestore")
    changes = desk.cloud.services.firestore.changes.after(0, 10)
    assert [(change.old, change.new) for change in changes] == [(None, None)] * 2


def test_after_a_restart_a_wiped_document_is_delivered_to_nobody(tmp_path: Path) -> None:
    data, env = tmp_path / "data", {"PROBE_RECORDS": str(tmp_path)}
    with desk_of(CloudConfig(ROOT, data_dir=data, functions="none")) as desk:
        desk.write("workspaces/demo/notes/1", a=1)
        wipe(desk, "firestore")
        desk.write("workspaces/demo/notes/2", a=1)
    with desk_of(CloudConfig(ROOT, data_dir=data, functions="inline", env=env)) as desk:
        wait_until(lambda: len(events(tmp_path)) == 2)
        wait_until(lambda: desk.cloud.triggers.eventarc.idle)
    assert {event["document"] for event in events(tmp_path)} == {"workspaces/demo/notes/2"}


@pytest.mark.parametrize("content", [{}, {"parts": []}, {"parts": ["everything"]}, {"parts": "all"}, {"parts": [[]]}])
def test_a_reset_that_does_not_say_of_what_wipes_nothing(desk: Desk, content: Any) -> None:
    desk.write("things/1", a=1)
    assert desk.send("POST", "reset", content).status_code == 400
    assert desk.get("firestore")["collections"] == ["things"]
    assert "firestore" in desk.get("reset")["parts"]
