"""The API over the local Firestore: notes, operations and their event streams."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
import yaml
from flask.testing import FlaskClient
from google.cloud.firestore_v1 import Client

from shared.bootstrap import App
from shared.contracts.note_index import NoteIndex
from shared.contracts.operations import CancelAnswer, Operation, ResearchClaim
from shared.errors import SettingsError
from shared.store import paths
from shared.store.database import Database
from shared.store.streams import Append, EventDraft
from shared.store.workspace import WorkspaceStore
from shared.store.writes import create, put
from shared.trace.gate import Gate
from tests.support.http import AUTH, api_client, settings
from tests.support.seams import FakeClock


class FakeEngine:
    def __init__(self, store: WorkspaceStore) -> None:
        self._store = store

    def cancel(self, workspace: str, operation_id: str) -> CancelAnswer:
        assert workspace == self._store.workspace
        return CancelAnswer(operation=self._store.operations.get(operation_id), cancelled=False, message="it has ended")


@pytest.fixture
def app(firestore: Client, store: WorkspaceStore, workspace: str, clock: FakeClock) -> App:
    app = App(settings(workspace, SSE_SECONDS="20"), clock=clock)
    vars(app).update(firestore=firestore, operations=FakeEngine(store))
    return app


@pytest.fixture
def client(app: App) -> FlaskClient:
    return api_client(app)


def post(client: FlaskClient, **fields: Any) -> dict[str, Any]:
    answer = client.post("/api/v1/notes", headers=AUTH, json=fields)
    assert answer.status_code == 201, answer.text
    note: dict[str, Any] = answer.json["note"]
    return note


def operation(store: WorkspaceStore, clock: FakeClock, steps: int, ended: bool = True) -> str:
    """An operation whose stream has `steps` events, the last of them terminal if it has ended."""
    now = clock.now()
    fields = Operation(id="op", created_at=now, updated_at=now, source_note_id="n").model_dump()
    drafts = tuple(EventDraft("step", {"n": n}, terminal=ended and n == steps) for n in range(1, steps + 1))
    store.operations.append("op", lambda *_: Append(fields, drafts), point="test", create=True)
    return "/api/v1/operations/op"


def ids(text: str) -> list[int]:
    return [int(line.removeprefix("id: ")) for line in text.split("\n") if line.startswith("id: ")]


def test_a_note_lives_from_post_to_delete(client: FlaskClient) -> None:
    note = post(client, title="t", body="é" * 100_000, tags=["Research", " a "])
    path = f"/api/v1/notes/{note['id']}"
    assert note["tags"] == ["research", "a"] and note["kind"] == "capture" and note["created_at"].endswith("Z")
    assert client.get(path, headers=AUTH).json["note"] == note
    listed = client.get("/api/v1/notes?tag=Research&kind=capture&q=T", headers=AUTH).json
    assert [one["id"] for one in listed["notes"]] == [note["id"]] and len(listed["notes"][0]["body"]) == 501
    changed = client.patch(path, headers=AUTH, json={"title": "u"}).json["note"]
    assert changed["title"] == "u" and changed["body"] == note["body"] and changed["seq"] == 1
    assert client.delete(path, headers=AUTH).status_code == 204
    for answer in (
        client.get(path, headers=AUTH),
        client.delete(path, headers=AUTH),
        client.patch(path, headers=AUTH, json={}),
    ):
        assert answer.status_code == 404


@pytest.mark.parametrize("note_id", ["café", "cafe\u0301", "a.b; c\x1b", "漢" * 500, "x" * 1495])
def test_a_note_with_any_id_of_firestores_is_read_changed_and_deleted(
    client: FlaskClient, store: WorkspaceStore, firestore: Client, workspace: str, note_id: str
) -> None:
    firestore.document(f"workspaces/{workspace}/notes/{note_id}").set({"title": "t", "tags": ["research"]})
    store.claims.save(store.claims.read(note_id), ResearchClaim(operation_id="op"), point="test")
    raw = f"/api/v1/notes/{quote(note_id, safe='')}"

    def ask(method: str, **arguments: Any) -> Any:
        return client.open(raw, method=method, headers=AUTH, environ_overrides={"REQUEST_URI": raw}, **arguments)

    assert ask("GET").json["note"]["id"] == note_id
    assert ask("PATCH", json={"title": "u", "tags": []}).json["note"]["title"] == "u"
    assert [one["id"] for one in client.get("/api/v1/notes", headers=AUTH).json["notes"]] == [note_id]
    assert store.claims.read(note_id).claim.untagged_at is not None
    assert ask("DELETE").status_code == 204
    assert ask("GET").status_code == 404


def test_a_note_is_read_with_its_text_as_safe_html_and_what_was_derived_from_it(
    client: FlaskClient, database: Database, clock: FakeClock
) -> None:
    note = post(client, title="t", body="**b** <img src=x>", tags=["a"])
    path = f"/api/v1/notes/{note['id']}"
    assert client.get(path, headers=AUTH).json == {
        "note": note,
        "html": "<p><strong>b</strong> &lt;img src=x&gt;</p>\n",
        "summary": "",
        "suggested_tags": [],
    }
    now = clock.now()
    index = NoteIndex(
        id=note["id"],
        note_updated_at=now,
        created_at=now,
        updated_at=now,
        summary="In short.",
        suggested_tags=("a", "c"),
    )
    database.commit([create(paths.note_index(note["id"]), index.model_dump())], "test")
    answer = client.get(path, headers=AUTH).json
    assert (answer["summary"], answer["suggested_tags"]) == ("In short.", ["c"])
    database.commit([put(paths.note_index(note["id"]), {"summary": 5})], "test")
    assert client.get(path, headers=AUTH).json["summary"] == ""


def test_a_note_has_twins_as_markdown_and_json(client: FlaskClient, store: WorkspaceStore, clock: FakeClock) -> None:
    note = post(client, title='A "title": #1', body="Line\n\n---\nend\n", tags=["a", "b"])
    path = f"/api/v1/notes/{note['id']}"
    twin = client.get(f"{path}.md", headers=AUTH)
    assert twin.content_type == "text/markdown; charset=utf-8"
    _, front, body = twin.text.split("---\n", 2)
    known = yaml.safe_load(front)
    assert (known["id"], known["title"], known["tags"]) == (note["id"], 'A "title": #1', ["a", "b"])
    assert body == "\nLine\n\n---\nend\n"
    assert client.get(f"{path}.json", headers=AUTH).json == client.get(path, headers=AUTH).json
    assert client.get(f"{path}.pdf", headers=AUTH).status_code == 404
    store.notes.append("x.md", lambda *_: Append({"title": "its own"}), point="test", create=True)
    assert client.get("/api/v1/notes/x.md", headers=AUTH).json["note"]["title"] == "its own"


def test_the_idempotency_key_makes_one_note(client: FlaskClient) -> None:
    def posted(title: str) -> Any:
        return client.post("/api/v1/notes", headers=AUTH | {"Idempotency-Key": "k"}, json={"title": title})

    first, second, other = posted("t"), posted("t"), posted("u")
    assert (first.status_code, second.status_code, other.status_code) == (201, 200, 422)
    assert first.json == second.json and other.json["error"]["code"] == "unprocessable"


def test_the_key_of_a_note_in_the_trash_says_where_it_is_and_makes_no_second_one(client: FlaskClient) -> None:
    def posted(title: str = "t") -> Any:
        return client.post("/api/v1/notes", headers=AUTH | {"Idempotency-Key": "k"}, json={"title": title})

    note_id = posted().json["note"]["id"]
    client.delete(f"/api/v1/notes/{note_id}", headers=AUTH)
    again = posted()
    assert again.status_code == 409 and again.json["error"]["code"] == "in_trash"
    assert again.json["error"]["details"]["note_id"] == note_id and posted("u").status_code == 422
    assert client.get(f"/api/v1/notes/{note_id}", headers=AUTH).status_code == 404
    client.post(f"/api/v1/notes/{note_id}/restore", headers=AUTH)
    assert posted().json["note"]["id"] == note_id


def test_pages_go_on_by_their_cursor(client: FlaskClient, clock: FakeClock) -> None:
    for n in range(3):
        clock.advance(1)
        post(client, title=str(n))
    first = client.get("/api/v1/notes?limit=2", headers=AUTH).json
    second = client.get(f"/api/v1/notes?limit=2&cursor={first['next_cursor']}", headers=AUTH).json
    assert [one["title"] for one in first["notes"] + second["notes"]] == ["2", "1", "0"]
    assert second["next_cursor"] is None
    assert client.get("/api/v1/notes?cursor=x", headers=AUTH).json["error"]["details"] == {"field": "cursor"}


def test_operations_are_listed_read_and_cancelled(client: FlaskClient, store: WorkspaceStore, clock: FakeClock) -> None:
    path = operation(store, clock, 1)
    assert client.get(path, headers=AUTH).json["operation"]["id"] == "op"
    listed = client.get("/api/v1/operations?status=running&kind=deep_research&limit=5", headers=AUTH).json
    assert [one["id"] for one in listed["operations"]] == ["op"] and listed["next_cursor"] is None
    assert client.get("/api/v1/operations?status=failed", headers=AUTH).json["operations"] == []
    assert client.post(f"{path}/cancel", headers=AUTH).json["message"] == "it has ended"
    assert client.get("/api/v1/operations/absent", headers=AUTH).status_code == 404
    assert client.post("/api/v1/operations/absent/cancel", headers=AUTH).status_code == 404


def test_operations_about_a_note_are_found_by_it(client: FlaskClient, store: WorkspaceStore, clock: FakeClock) -> None:
    operation(store, clock, steps=1)

    def found(query: str) -> list[str]:
        answer = client.get(f"/api/v1/operations?{query}", headers=AUTH)
        return [one["id"] for one in answer.json["operations"]]

    assert found("source_note_id=n") == ["op"] and found("source_note_id=other") == []
    assert found("source_note_id=n&status=running&kind=deep_research") == ["op"]
    assert found("source_note_id=n&status=failed") == found("source_note_id=n&kind=other") == []


@pytest.mark.parametrize("seen", range(5))
@pytest.mark.parametrize("by", ["header", "query"])
def test_a_stream_resumed_at_any_event_gives_the_rest_and_ends(
    client: FlaskClient, store: WorkspaceStore, clock: FakeClock, seen: int, by: str
) -> None:
    path = operation(store, clock, 4)
    headers = AUTH | ({"Last-Event-ID": str(seen)} if by == "header" else {})
    answer = client.get(f"{path}/events" + (f"?last_event_id={seen}" if by == "query" else ""), headers=headers)
    assert answer.status_code == 200 and answer.content_type.startswith("text/event-stream")
    assert answer.headers["Cache-Control"] == "no-store" and ids(answer.text) == list(range(seen + 1, 5))


def test_a_running_stream_ends_in_time_with_retry(client: FlaskClient, store: WorkspaceStore, clock: FakeClock) -> None:
    path = operation(store, clock, 2, ended=False)
    text = client.get(f"{path}/events", headers=AUTH).text
    assert ids(text) == [1, 2] and ": heartbeat\n\n" in text and text.endswith("retry: 1000\n\n")


@pytest.mark.parametrize("cursor", ["3", "x", "-1"])
def test_a_wrong_cursor_is_refused_before_the_stream(
    client: FlaskClient, store: WorkspaceStore, clock: FakeClock, cursor: str
) -> None:
    path = operation(store, clock, 2)
    answer = client.get(f"{path}/events", headers=AUTH | {"Last-Event-ID": cursor})
    assert answer.status_code == 400 and answer.json["error"]["details"] == {"field": "Last-Event-ID"}


def test_a_stream_of_nothing_is_not_found(client: FlaskClient) -> None:
    for kind in ("notes", "operations"):
        assert client.get(f"/api/v1/{kind}/absent/events", headers=AUTH).status_code == 404


def test_events_come_as_json_for_who_asks(client: FlaskClient, store: WorkspaceStore, clock: FakeClock) -> None:
    path = operation(store, clock, 3)
    headers = AUTH | {"Accept": "application/json"}
    first = client.get(f"{path}/events?limit=2", headers=headers).json
    assert [one["seq"] for one in first["events"]] == [1, 2] and first["events"][0]["stream"] == "operations/op"
    rest = client.get(f"{path}/events?last_event_id={first['next_cursor']}", headers=headers).json
    assert [one["seq"] for one in rest["events"]] == [3] and rest["next_cursor"] == "3"


def test_events_written_by_hand_neither_break_a_stream_nor_hide_what_comes_after_them(
    client: FlaskClient, store: WorkspaceStore, clock: FakeClock, firestore: Client, workspace: str
) -> None:
    path = operation(store, clock, 1, ended=False)
    good = store.streams.read("operations/op")[0].model_dump()
    events = firestore.collection(f"workspaces/{workspace}/operations/op/events")
    for seq in range(2, 12):
        events.document(f"junk{seq}").set({"seq": seq})
    for odd in (5.5, float("inf"), 10**12, "9"):
        events.document(f"odd{odd}").set({"seq": odd})
    events.document("00000012").set(good | {"seq": 12, "data": {"b": b"\xff"}})
    firestore.document(f"workspaces/{workspace}/operations/op").update({"seq": 12})
    store.operations.append("op", lambda *_: Append({}, (EventDraft("completed", terminal=True),)), point="test")
    seen: list[int] = []
    cursor = "0"
    for _ in range(20):
        answer = client.get(
            f"{path}/events?limit=3", headers=AUTH | {"Accept": "application/json", "Last-Event-ID": cursor}
        )
        assert answer.status_code == 200, answer.text
        seen += [one["seq"] for one in answer.json["events"]]
        cursor = answer.json["next_cursor"]
    assert seen == [1, 12, 13] and cursor == "13"
    assert ids(client.get(f"{path}/events", headers=AUTH).text) == [1, 12, 13]


def test_a_session_that_is_not_there_is_called_a_session(client: FlaskClient) -> None:
    answer = client.get("/api/v1/chat/sessions/absent/events", headers=AUTH)
    assert answer.status_code == 404 and answer.json["error"]["message"] == "There is no session absent."


def test_a_note_tells_what_was_changed(client: FlaskClient) -> None:
    note = post(client, title="t")
    client.patch(f"/api/v1/notes/{note['id']}", headers=AUTH, json={"title": "u"})
    text = client.get(f"/api/v1/notes/{note['id']}/events", headers=AUTH).text
    assert ids(text) == [1] and '"changed":{"title":{"from":"t","to":"u"}}' in text and '"by":"token-' in text


def test_streams_are_bounded_and_counted_out(
    client: FlaskClient, app: App, store: WorkspaceStore, clock: FakeClock
) -> None:
    vars(app).update(gate=Gate(total=1))
    path = operation(store, clock, 2, ended=False)
    held = client.get(f"{path}/events", headers=AUTH, buffered=False)
    refused = client.get(f"{path}/events", headers=AUTH)
    assert refused.status_code == 429 and refused.json["error"]["code"] == "too_many_streams"
    assert "Accept: application/json" in refused.json["error"]["message"]
    for accept in ("application/json", "text/event-stream"):
        headers = AUTH | {"Accept": accept}
        refused = client.post("/api/v1/chat/sessions/s/messages", headers=headers, json={"text": "Hello"})
        assert refused.status_code == 429 and "send the message again" in refused.json["error"]["message"]
    held.close()
    assert client.get(f"{path}/events", headers=AUTH).status_code == 200


def test_another_workspace_sees_nothing_of_it(
    client: FlaskClient, store: WorkspaceStore, clock: FakeClock, firestore: Client
) -> None:
    note, path = post(client, title="mine"), operation(store, clock, 1)
    app = App(settings("someone-else"), clock=clock)
    vars(app).update(firestore=firestore)
    stranger = api_client(app)
    for address in (f"/api/v1/notes/{note['id']}", path, f"{path}/events", f"/api/v1/notes/{note['id']}/events"):
        assert stranger.get(address, headers=AUTH).status_code == 404
    assert stranger.get("/api/v1/notes", headers=AUTH).json["notes"] == []


def test_a_token_of_a_malformed_workspace_opens_nothing() -> None:
    with pytest.raises(SettingsError, match="API_TOKENS is malformed"):
        settings("a/notes/b")
