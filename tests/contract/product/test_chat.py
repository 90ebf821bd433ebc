"""The chat through the API, on a real store, with a scripted model."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import pytest
from flask.testing import FlaskClient
from google.cloud.firestore_v1 import Client

from shared.bootstrap import App
from shared.clock import SystemClock
from shared.llm.port import Call, Models, Text
from tests.support.http import AUTH, api_client, settings
from tests.support.scripted_model import Pause, ScriptedModel
from tests.support.waiting import wait_until

SESSIONS = "/api/v1/chat/sessions"


class ChatApp(App):
    """With the model of a test; without one where it gives None."""

    def __init__(self, client: Client, workspace: str, model: ScriptedModel | None) -> None:
        super().__init__(
            settings(workspace, SSE_SECONDS="5", CHAT_RETRY_SECONDS="0.01", WORKFLOWS_ENDPOINT="127.0.0.1:9"),
            clock=SystemClock(),
            randomness=random.Random(5),
        )
        self.firestore, self._model = client, model

    @cached_property
    def models(self) -> Models:
        return Models(chat=self._model)


Talk = Callable[..., FlaskClient]


@pytest.fixture
def talk(firestore: Client, workspace: str) -> Iterator[Talk]:
    """A client whose model says these lines, all of them by the end of the test."""
    models: list[ScriptedModel] = []

    def make(*lines: Any) -> FlaskClient:
        models.append(ScriptedModel(*lines))
        return api_client(ChatApp(firestore, workspace, models[-1]))

    yield make
    for model in models:
        model.check()


def ok(answer: Any, status: int = 200) -> Any:
    assert answer.status_code == status, answer.text
    return answer.json


def begin(client: FlaskClient, title: str = "", **headers: str) -> str:
    return str(ok(client.post(SESSIONS, json={"title": title}, headers=AUTH | headers), 201)["session"]["id"])


def say(client: FlaskClient, session: str, text: str, **headers: str) -> Any:
    headers = {"Accept": "application/json", **headers}
    return client.post(f"{SESSIONS}/{session}/messages", json={"text": text}, headers=AUTH | headers)


def frames(answer: Any) -> list[tuple[str, str, Any]]:
    """(event, id, data) of each frame of a finished stream."""
    found = []
    for block in answer.get_data(as_text=True).split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line and not line.startswith(":"))
        if "data" in fields:
            found.append((fields["event"], fields.get("id", ""), json.loads(fields["data"])))
    return found


def test_a_session_is_created_listed_read_renamed_and_deleted(talk: Talk) -> None:
    client = talk([Text("One.")])
    session = begin(client)
    ok(say(client, session, "What about bread?"))
    shown = ok(client.get(f"{SESSIONS}/{session}", headers=AUTH))["session"]
    assert shown["title"] == "What about bread?" and shown["turns"] == 1 and shown["running_turn_id"] is None
    assert [event["type"] for event in shown["trace"]] == ["user_message", "model_text", "turn_ended"]
    (listed,) = ok(client.get(SESSIONS, headers=AUTH))["sessions"]
    assert "trace" not in listed and listed["id"] == session
    renamed = ok(client.patch(f"{SESSIONS}/{session}", json={"title": " Bread "}, headers=AUTH))["session"]
    assert renamed["title"] == "Bread"
    assert client.delete(f"{SESSIONS}/{session}", headers=AUTH).status_code == 204
    for answer in (
        client.get(f"{SESSIONS}/{session}", headers=AUTH),
        client.get(f"{SESSIONS}/{session}/events", headers=AUTH),
        client.delete(f"{SESSIONS}/{session}", headers=AUTH),
        client.post(f"{SESSIONS}/{session}/cancel", headers=AUTH),
        client.patch(f"{SESSIONS}/{session}", json={"title": "x"}, headers=AUTH),
        say(client, session, "More?"),
    ):
        ok(answer, 404)
    assert ok(client.get(SESSIONS, headers=AUTH))["sessions"] == []


def test_a_message_is_streamed(talk: Talk) -> None:
    client = talk([Text("On"), Text("e.")])
    answer = client.post(f"{SESSIONS}/{begin(client)}/messages", json={"text": "Hello?"}, headers=AUTH)
    assert answer.status_code == 200 and answer.content_type.startswith("text/event-stream")
    assert answer.headers["X-Accel-Buffering"] == "no" and answer.get_data(as_text=True).startswith(": open\n\n")
    got = frames(answer)
    assert [event for event, _, _ in got] == ["trace", "delta", "delta", "trace", "trace", "done"]
    assert [number for event, number, _ in got if event == "trace"] == ["1", "2", "3"]


def test_the_whole_turn_as_json(talk: Talk) -> None:
    client = talk([Text("*One*.")])
    answer = client.post(
        f"{SESSIONS}/{begin(client)}/messages?html=1",
        json={"text": "Hello?"},
        headers=AUTH | {"Accept": "application/json"},
    )
    turn = ok(answer)
    assert (turn["status"], turn["answer"], turn["session"]["title"]) == ("completed", "*One*.", "Hello?")
    assert "<em>One</em>" in turn["trace"][1]["data"]["html"]


def test_events_are_followed_from_a_cursor_and_given_as_json(talk: Talk) -> None:
    client = talk([Text("One.")], [Text("Two.")])
    session = begin(client)
    for text in ("First?", "Second?"):
        ok(say(client, session, text))
    path = f"{SESSIONS}/{session}/events"
    page = ok(client.get(f"{path}?limit=2", headers=AUTH | {"Accept": "application/json"}))
    assert [event["seq"] for event in page["events"]] == [1, 2] and page["next_cursor"] == "2"
    ok(client.get(path, headers=AUTH | {"Last-Event-ID": "7"}), 400)
    ok(client.get(path, headers=AUTH | {"Last-Event-ID": "x"}), 400)


def test_a_trace_is_read_backwards_in_pages(talk: Talk) -> None:
    client = talk(*[[Text(f"Answer {n}.")] for n in range(3)])
    session = begin(client)
    for n in range(3):
        ok(say(client, session, f"Question {n}?"))
    seen: list[int] = []
    before: int | None = 10_000
    while before is not None:
        shown = ok(client.get(f"{SESSIONS}/{session}?limit=4&before={before}", headers=AUTH))["session"]
        seen = [event["seq"] for event in shown["trace"]] + seen
        before = shown["more_before"]
    assert seen == list(range(1, 10))


def test_lists_are_in_the_order_of_last_use_and_in_pages(talk: Talk) -> None:
    client = talk([Text("One.")])
    sessions = [begin(client, f"Session {n}") for n in range(5)]
    ok(say(client, sessions[1], "Hello?"))
    listed: list[str] = []
    cursor = ""
    while True:
        page = ok(client.get(f"{SESSIONS}?limit=2{cursor}", headers=AUTH))
        listed += [session["id"] for session in page["sessions"]]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert listed == [sessions[1], sessions[4], sessions[3], sessions[2], sessions[0]]


def test_a_key_names_a_session(talk: Talk) -> None:
    client = talk()
    first = begin(client, "Bread", **{"Idempotency-Key": "k"})
    again = client.post(SESSIONS, json={"title": "Bread"}, headers=AUTH | {"Idempotency-Key": "k"})
    assert ok(again, 200)["session"]["id"] == first
    ok(client.patch(f"{SESSIONS}/{first}", json={"title": "Rolls"}, headers=AUTH))
    again = client.post(SESSIONS, json={"title": "Bread"}, headers=AUTH | {"Idempotency-Key": "k"})
    assert ok(again, 200)["session"]["title"] == "Rolls"
    ok(client.post(SESSIONS, json={"title": "Cake"}, headers=AUTH | {"Idempotency-Key": "k"}), 422)


def test_a_second_message_meanwhile_is_refused_with_the_turns_id(talk: Talk) -> None:
    pause = Pause()
    client = talk([Text("One"), pause])
    session = begin(client)
    stream = client.post(f"{SESSIONS}/{session}/messages", json={"text": "First?"}, headers=AUTH)
    assert pause.reached.wait(5)
    running = ok(client.get(f"{SESSIONS}/{session}", headers=AUTH))["session"]["running_turn_id"]
    error = ok(say(client, session, "Second?"), 409)["error"]
    assert error["code"] == "turn_running" and error["details"] == {"turn_id": running}
    cancelled = ok(client.post(f"{SESSIONS}/{session}/cancel", headers=AUTH))
    assert cancelled["cancelled"] and cancelled["session"]["running_turn_id"] is None
    assert frames(stream)[-1][2]["status"] == "cancelled"
    assert not ok(client.post(f"{SESSIONS}/{session}/cancel", headers=AUTH))["cancelled"]


def test_a_connection_that_closes_gives_the_turn_back(talk: Talk, firestore: Client, workspace: str) -> None:
    pause = Pause()
    client = talk([Text("One"), pause])
    session = begin(client)
    stream = client.post(f"{SESSIONS}/{session}/messages", json={"text": "First?"}, headers=AUTH)
    assert pause.reached.wait(5)
    stream.close()
    document = firestore.document(f"workspaces/{workspace}/chat_sessions/{session}")

    def given_back() -> bool:
        read = document.get()
        fields = read.to_dict() or {}
        return bool(fields["turn"]["lease_expires_at"] <= read.read_time)

    wait_until(given_back, what="the lease was given back")


@pytest.mark.parametrize("text", ["", "  ", "x" * 15_001])
def test_a_message_that_is_none_is_refused(talk: Talk, text: str) -> None:
    client = talk()
    assert ok(say(client, begin(client), text), 400)["error"]["details"]["field"] == "text"


def test_without_a_model_it_is_said_what_to_set(firestore: Client, workspace: str) -> None:
    client = api_client(ChatApp(firestore, workspace, None))
    session = begin(client)
    error = ok(say(client, session, "Hello?"), 422)["error"]
    assert error["code"] == "no_model" and "CHAT_MODEL" in error["message"]
    assert ok(client.get(f"{SESSIONS}/{session}", headers=AUTH))["session"]["turns"] == 0


def test_the_tools_are_the_real_ones(talk: Talk) -> None:
    client = talk([Call("c", "create_note", {"title": "Rye", "body": "Ferments fast."})], [Text("Written.")])
    turn = ok(say(client, begin(client), "Note that rye ferments fast."))
    result = next(event["data"] for event in turn["trace"] if event["type"] == "tool_result")
    assert result["ok"], result
    (note,) = ok(client.get("/api/v1/notes", headers=AUTH))["notes"]
    assert note["title"] == "Rye"
