"""The emulated session service, as google-wire facts describe Google's."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from infra.local.clock import VirtualClock
from infra.local.reasoning_engines.service import ReasoningEnginesPart

PARENT = "projects/p/locations/us-central1/reasoningEngines/7"
BASE = f"/v1/{PARENT}"
EVENT: dict[str, Any] = {"author": "memex", "invocationId": "i1", "timestamp": "2026-11-30T12:00:00.5Z"}


class Desk:
    """The part, a clock that stands still until it is moved, and short ways to ask."""

    def __init__(self, folder: Path) -> None:
        self.clock = VirtualClock()
        self.part = ReasoningEnginesPart(folder, self.clock, operation_seconds=2.0)
        app = Flask("engines")
        app.register_blueprint(self.part.blueprint())
        self._client: FlaskClient = app.test_client()

    def ask(self, method: str, path: str, body: Any = None, token: str = "t", **query: str) -> TestResponse:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return self._client.open(path, method=method, json=body, headers=headers, query_string=query)

    def pass_by(self, seconds: float) -> None:
        self.clock.call_later(seconds, lambda: None, "the test")
        self.clock.run_until(lambda: False, limit=timedelta(seconds=seconds))

    def created(self, name: str = "s1", **body: Any) -> dict[str, Any]:
        answer = self.ask("POST", f"{BASE}/sessions", {"userId": "demo", **body}, sessionId=name)
        assert answer.status_code == 200, answer.json
        self.pass_by(2.0)
        return dict(self.ask("GET", f"{BASE}/sessions/{name}").json)

    def append(self, delta: dict[str, Any], **changes: Any) -> TestResponse:
        event = {**EVENT, "actions": {"stateDelta": delta}, **changes}
        return self.ask("POST", f"{BASE}/sessions/s1:appendEvent", event)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.part.close()
    made.clock.close()


def refused(answer: TestResponse, code: int, *words: str) -> None:
    assert answer.status_code == code, answer.json
    error = answer.json["error"]
    assert error["code"] == code and all(word in error["message"] for word in words), error


def test_a_create_is_an_operation_that_is_not_done_at_first(desk: Desk) -> None:
    begun = desk.ask("POST", f"{BASE}/sessions", {"userId": "demo", "sessionState": {"a": 1}}, sessionId="s1").json
    assert begun["done"] is False and begun["name"].startswith(f"{PARENT}/sessions/s1/operations/")
    assert begun["metadata"]["@type"].endswith("CreateSessionOperationMetadata")
    refused(desk.ask("GET", f"{BASE}/sessions/s1"), 404)
    assert desk.ask("GET", f"/v1/{begun['name']}").json["done"] is False
    desk.pass_by(2.0)
    done = desk.ask("GET", f"/v1/{begun['name']}").json
    session = desk.ask("GET", f"{BASE}/sessions/s1").json
    assert done["done"] is True and done["response"] == {
        "@type": "type.googleapis.com/google.cloud.aiplatform.v1.Session",
        **session,
    }
    assert session["userId"] == "demo" and session["sessionState"] == {"a": 1} and session["expireTime"]
    assert session["createTime"].endswith("Z")


def test_a_name_is_taken_from_the_moment_of_the_create(desk: Desk) -> None:
    for _ in range(2):
        answer = desk.ask("POST", f"{BASE}/sessions", {"userId": "demo"}, sessionId="s1")
    refused(answer, 409, "already exists")
    assert answer.json["error"]["status"] == "ALREADY_EXISTS"


def test_v1beta1_is_the_same_and_other_versions_are_not(desk: Desk) -> None:
    desk.created()
    assert desk.ask("GET", f"/v1beta1/{PARENT}/sessions/s1").status_code == 200
    refused(desk.ask("GET", f"/v1alpha1/{PARENT}/sessions/s1"), 404)
    refused(desk.ask("GET", f"{BASE}/sessions/s1", token=""), 401)


def test_engines_do_not_share_sessions(desk: Desk) -> None:
    desk.created()
    other = BASE.replace("/7", "/8")
    refused(desk.ask("GET", f"{other}/sessions/s1"), 404)
    assert desk.ask("GET", f"{other}/sessions").json == {}


@pytest.mark.parametrize("name", ["S1", "a_b", "1a", "-a", "a-", "a" * 64, "", "é", "a.b"])
def test_an_id_outside_the_grammar_is_refused(desk: Desk, name: str) -> None:
    refused(desk.ask("POST", f"{BASE}/sessions", {"userId": "demo"}, sessionId=name), 400, "session ID")


def test_without_an_id_one_is_made(desk: Desk) -> None:
    desk.ask("POST", f"{BASE}/sessions", {"userId": "demo"})
    desk.pass_by(2.0)
    assert len(desk.ask("GET", f"{BASE}/sessions").json["sessions"]) == 1


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({}, "user_id"),
        ({"userId": ""}, "user_id"),
        ({"user_id": "demo"}, 'Unknown name "user_id"'),
        ({"userId": "demo", "session_state": {}}, 'Unknown name "session_state"'),
        ({"userId": "demo", "sessionState": []}, "session_state"),
        ({"userId": "demo", "ttl": "86399s"}, "24 hours"),
        ({"userId": "demo", "ttl": 604800}, "Duration"),
        ({"userId": "demo", "ttl": "P7D"}, "Duration"),
        ({"userId": "demo", "ttl": "604800s", "expireTime": "2027-01-01T00:00:00Z"}, "Only one"),
        ({"userId": "demo", "expireTime": 1764504000.0}, "Timestamp"),
        ({"userId": "demo", "labels": {"k" * 65: "v"}}, "64"),
        ([], "object"),
    ],
)
def test_a_body_that_the_service_would_refuse_is_refused(desk: Desk, body: Any, words: str) -> None:
    refused(desk.ask("POST", f"{BASE}/sessions", body, sessionId="s1"), 400, words)


def test_query_parameters_are_camel_case_too(desk: Desk) -> None:
    refused(desk.ask("POST", f"{BASE}/sessions", {"userId": "demo"}, session_id="s1"), 400, "session_id")
    refused(desk.ask("GET", f"{BASE}/sessions", page_size="3"), 400, "page_size")


def test_the_end_of_a_session_is_fixed_when_it_is_created(desk: Desk) -> None:
    session = desk.created(ttl="86400s")
    desk.pass_by(43_200)
    assert desk.append({"a": 1}).json == {}
    after = desk.ask("GET", f"{BASE}/sessions/s1").json
    assert after["expireTime"] == session["expireTime"] and after["updateTime"] > session["updateTime"]
    refused(desk.ask("PATCH", f"{BASE}/sessions/s1", {"ttl": "604800s"}), 400, "ttl")
    desk.pass_by(43_201)
    refused(desk.ask("GET", f"{BASE}/sessions/s1"), 404)
    refused(desk.append({"a": 2}), 404)
    assert desk.ask("GET", f"{BASE}/sessions").json == {}
    assert desk.created()["sessionState"] == {}, "the name is free again, and what was there is gone"
    assert desk.ask("GET", f"{BASE}/sessions/s1/events").json == {}


def test_a_state_delta_is_merged_by_its_top_level_keys(desk: Desk) -> None:
    desk.created(sessionState={"a": {"x": 1, "y": 2}, "b": 1})
    desk.append({"a": {"x": 3}})
    assert desk.ask("GET", f"{BASE}/sessions/s1").json["sessionState"] == {"a": {"x": 3}, "b": 1}


@pytest.mark.parametrize("mask", [None, "sessionState", "session_state", "session_state.a", "displayName,sessionState"])
def test_the_state_is_never_patched(desk: Desk, mask: str | None) -> None:
    desk.created(sessionState={"a": 1})
    query = {} if mask is None else {"updateMask": mask}
    answer = desk.ask("PATCH", f"{BASE}/sessions/s1", {"sessionState": {"a": 2}}, **query)
    refused(
        answer,
        400,
        f"Can't update the session state for session [{PARENT}/sessions/s1], "
        "you can only update it by appending an event.",
    )
    assert desk.ask("GET", f"{BASE}/sessions/s1").json["sessionState"] == {"a": 1}


def test_name_and_labels_are_patched_and_the_user_is_not(desk: Desk) -> None:
    desk.created()
    body = {"displayName": "Bread", "labels": {"kind": "chat"}}
    assert (
        desk.ask("PATCH", f"{BASE}/sessions/s1", body, updateMask="displayName,labels").json["displayName"] == "Bread"
    )
    refused(desk.ask("PATCH", f"{BASE}/sessions/s1", {"userId": "other"}), 400, "userId")
    found = desk.ask("GET", f"{BASE}/sessions", filter='labels.kind="chat" AND display_name="Bread"').json["sessions"]
    assert [one["labels"] for one in found] == [{"kind": "chat"}]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"author": None}, "author"),
        ({"invocationId": None}, "invocation_id"),
        ({"timestamp": None}, "timestamp"),
        ({"timestamp": 1764504000.25}, "Timestamp"),
        ({"timestamp": "yesterday"}, "Timestamp"),
        ({"timestamp": "2026-11-30T12:00:00"}, "Timestamp"),
        ({"timestamp": "2026-02-30T12:00:00Z"}, "timestamp"),
        ({"invocation_id": "i"}, 'Unknown name "invocation_id"'),
        ({"actions": {"state_delta": {}}}, 'Unknown name "state_delta"'),
        ({"actions": {"stateDelta": []}}, "state_delta"),
        ({"content": {"parts": [{"text": "a", "part_metadata": {}}]}}, 'Unknown name "part_metadata"'),
        ({"content": {"parts": 3}}, "parts"),
    ],
)
def test_an_event_that_the_service_would_refuse_is_refused(desk: Desk, changes: dict[str, Any], words: str) -> None:
    desk.created()
    event = {name: value for name, value in {**EVENT, **changes}.items() if value is not None}
    refused(desk.ask("POST", f"{BASE}/sessions/s1:appendEvent", event), 400, words)
    assert desk.ask("GET", f"{BASE}/sessions/s1/events").json == {}


def test_events_are_listed_in_order_in_pages_and_since_a_moment(desk: Desk) -> None:
    desk.created()
    for second in (3, 1, 2):
        desk.append({"n": second}, timestamp=f"2026-11-30T12:00:0{second}Z", content={"parts": [{"text": "hi"}]})
    path = f"{BASE}/sessions/s1/events"
    first = desk.ask("GET", path, pageSize="2").json
    rest = desk.ask("GET", path, pageSize="2", pageToken=first["nextPageToken"]).json
    times = [one["timestamp"][17:19] for one in (*first["sessionEvents"], *rest["sessionEvents"])]
    assert times == ["01", "02", "03"] and "nextPageToken" not in rest
    since = desk.ask("GET", path, filter='timestamp>="2026-11-30T12:00:02Z"').json["sessionEvents"]
    assert [one["actions"]["stateDelta"]["n"] for one in since] == [2, 3]
    assert since[0]["name"].startswith(f"{PARENT}/sessions/s1/events/")
    refused(desk.ask("GET", path, filter="author=x"), 400, "filter")


def test_sessions_are_listed_by_user_in_the_order_asked_for_and_in_pages(desk: Desk) -> None:
    for name, user in (("a", "demo"), ("b", 'q"\\u'), ("c", "demo"), ("d", "demo")):
        desk.created(name, userId=user)
        desk.pass_by(1.0)
    desk.ask("POST", f"{BASE}/sessions/a:appendEvent", EVENT)

    def names(**query: str) -> list[str]:
        return [one["name"][-1] for one in desk.ask("GET", f"{BASE}/sessions", **query).json["sessions"]]

    mine = 'user_id="demo"'
    assert names(filter=mine) == ["a", "d", "c"] == names(filter=mine, orderBy="update_time desc")
    assert names(filter=mine, orderBy="create_time") == ["a", "c", "d"]
    assert names(filter='user_id="q\\"\\\\u"') == ["b"]
    page = desk.ask("GET", f"{BASE}/sessions", filter=mine, pageSize="2").json
    assert names(filter=mine, pageSize="2", pageToken=page["nextPageToken"]) == ["c"]
    refused(desk.ask("GET", f"{BASE}/sessions", pageToken=page["nextPageToken"]), 400, "another list")
    for query in ({"filter": "user_id=demo"}, {"filter": 'owner="x"'}, {"orderBy": "name"}, {"pageSize": "many"}):
        refused(desk.ask("GET", f"{BASE}/sessions", **query), 400)


def test_no_page_has_more_than_a_hundred(desk: Desk) -> None:
    for n in range(101):
        desk.ask("POST", f"{BASE}/sessions", {"userId": "demo"}, sessionId=f"s{n}")
    desk.pass_by(2.0)
    page = desk.ask("GET", f"{BASE}/sessions", pageSize="500").json
    assert len(page["sessions"]) == 100 and page["nextPageToken"]


def test_a_delete_is_an_operation_and_frees_the_name(desk: Desk) -> None:
    desk.created(sessionState={"a": 1})
    begun = desk.ask("DELETE", f"{BASE}/sessions/s1").json
    assert begun["done"] is False and desk.ask("GET", f"{BASE}/sessions/s1").status_code == 200
    desk.pass_by(2.0)
    refused(desk.ask("GET", f"{BASE}/sessions/s1"), 404)
    assert desk.ask("GET", f"/v1/{begun['name']}").json["done"] is True
    refused(desk.ask("DELETE", f"{BASE}/sessions/s1"), 404)
    assert desk.created()["sessionState"] == {}


def test_what_is_not_implemented_is_refused_by_name(desk: Desk) -> None:
    desk.created()
    refused(desk.ask("POST", f"{BASE}/sessions/s1:compact", {}), 501, "compact")
    refused(desk.ask("GET", BASE), 501, "engines")


def test_sessions_survive_a_restart(tmp_path: Path) -> None:
    for attempt in range(2):
        desk = Desk(tmp_path)
        if attempt == 0:
            desk.created(sessionState={"a": 1})
            desk.append({"b": 2})
        else:
            desk.pass_by(60)
            assert desk.ask("GET", f"{BASE}/sessions/s1").json["sessionState"] == {"a": 1, "b": 2}
            assert len(desk.ask("GET", f"{BASE}/sessions/s1/events").json["sessionEvents"]) == 1
            assert desk.part.wipe() == 1 and desk.ask("GET", f"{BASE}/sessions").json == {}
        desk.part.close()
        desk.clock.close()
