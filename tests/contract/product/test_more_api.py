"""The addresses of tasks, approvals, search and routines, through HTTP."""

from __future__ import annotations

import random
from typing import Any
from xml.etree import ElementTree

import pytest
from flask.testing import FlaskClient
from google.cloud.firestore_v1 import Client

from shared.bootstrap import App
from shared.llm.port import Models
from shared.store.workspace import WorkspaceStore
from shared.tools.catalogue import acting, proposing
from tests.support.http import AUTH, api_client, settings
from tests.support.jobs import job
from tests.support.seams import CountingIds, FakeClock


@pytest.fixture
def app(firestore: Client, workspace: str, clock: FakeClock) -> App:
    app = App(settings(workspace), clock=clock, randomness=random.Random(1), ids=CountingIds("id"))
    app.__dict__["firestore"] = firestore
    app.__dict__["models"] = Models()
    return app


@pytest.fixture
def api(app: App) -> FlaskClient:
    return api_client(app)


def call(api: FlaskClient, method: str, path: str, status: int = 200, **arguments: Any) -> Any:
    headers = AUTH | arguments.pop("headers", {})
    answer = api.open(f"/api/v1{path}", method=method, headers=headers, **arguments)
    assert answer.status_code == status, answer.text
    return answer.json if answer.data else None


def propose(app: App, workspace: str, clock: FakeClock, name: str, key: str = "k", **arguments: Any) -> str:
    outcome = proposing().call(job(app.store(workspace), clock, key), name, arguments)
    return str(outcome.result["approval_id"])


def test_a_task_from_its_making_to_its_end(api: FlaskClient) -> None:
    wanted = {"title": " Call Anna ", "due": "2026-12-01"}
    task = call(api, "POST", "/tasks", 201, json=wanted, headers={"Idempotency-Key": "k"})["task"]
    assert call(api, "POST", "/tasks", 200, json=wanted, headers={"Idempotency-Key": "k"})["task"] == task
    assert (task["title"], task["due"], task["done"]) == ("Call Anna", "2026-12-01", False)
    call(api, "POST", "/tasks", 422, json={"title": "Other"}, headers={"Idempotency-Key": "k"})
    assert call(api, "GET", "/tasks?done=false&due_before=2026-12-02")["tasks"] == [task]
    assert call(api, "GET", "/tasks?due_before=2026-12-01")["tasks"] == []
    done = call(api, "PATCH", f"/tasks/{task['id']}", json={"done": True, "due": None})["task"]
    assert done["done_at"] and done["due"] is None and call(api, "GET", "/tasks?done=true")["tasks"] == [done]
    call(api, "DELETE", f"/tasks/{task['id']}", 204)
    call(api, "GET", f"/tasks/{task['id']}", 404)
    call(api, "DELETE", f"/tasks/{task['id']}", 404)


@pytest.mark.parametrize(
    ("method", "path", "body", "field"),
    [
        ("POST", "/tasks", {"title": " "}, "title"),
        ("POST", "/tasks", {"title": "x", "due": "soon"}, "due"),
        ("PATCH", "/tasks/x", {"done": "perhaps"}, "done"),
        ("GET", "/tasks?done=1", None, "done"),
        ("GET", "/tasks?due_before=2026-13-01", None, "due_before"),
        ("GET", "/tasks?cursor=x", None, "cursor"),
        ("GET", "/approvals?status=odd", None, "status"),
        ("GET", "/search", None, "q"),
        ("PATCH", "/tasks/x", {"done": "true"}, "done"),
        ("PATCH", "/tasks/x", {"done": 1}, "done"),
        ("PATCH", "/tasks/x", {"done": None}, "done"),
        ("PATCH", "/tasks/x", {"title": None}, "title"),
        ("PATCH", "/tasks/x", {"notes": None}, "notes"),
        ("PATCH", "/tasks/x", {"title": "\u200b"}, "title"),
        ("PATCH", "/tasks/x", {"due": "2026-12-01T00:00:00Z"}, "due"),
        ("PATCH", "/tasks/x", {"due": 0}, "due"),
        ("POST", "/tasks", {"title": "x", "due": "2026-W49-2"}, "due"),
        ("PATCH", "/chat/sessions/x", {"title": "\u202e"}, "title"),
        ("GET", "/search?q=x&limit=51", None, "limit"),
        ("GET", "/search?q=x&after=20261130", None, "after"),
        ("POST", "/routines/dance/run", None, "kind"),
    ],
)
def test_what_is_wrong_is_named(api: FlaskClient, method: str, path: str, body: Any, field: str) -> None:
    answer = call(api, method, path, 400, **({"json": body} if body is not None else {}))
    assert answer["error"]["details"]["field"] == field


def test_an_approval_is_listed_shown_and_approved(api: FlaskClient, app: App, workspace: str, clock: FakeClock) -> None:
    approval_id = propose(app, workspace, clock, "create_note", title="T", body="B")
    (listed,) = call(api, "GET", "/approvals?status=pending")["approvals"]
    assert call(api, "GET", f"/approvals/{approval_id}")["approval"] == listed
    assert listed["after"] == {"title": "T", "body": "B", "tags": []}
    answer = call(api, "POST", f"/approvals/{approval_id}/approve")
    assert answer["changed"] and answer["approval"]["status"] == "approved"
    assert call(api, "GET", f"/notes/{answer['approval']['result']['note_id']}")["note"]["body"] == "B"
    assert not call(api, "POST", f"/approvals/{approval_id}/approve")["changed"]
    assert not call(api, "POST", f"/approvals/{approval_id}/reject")["changed"]
    assert call(api, "GET", "/approvals?status=pending")["approvals"] == []
    call(api, "POST", "/approvals/none/approve", 404)


def test_an_approval_is_edited_and_approved_as_it_was_shown(
    api: FlaskClient, app: App, workspace: str, clock: FakeClock
) -> None:
    path = f"/approvals/{propose(app, workspace, clock, 'create_note', title='T', body='B')}"
    wanted = {"arguments": {"title": "T", "body": "C"}, "edits": 0}
    assert call(api, "PATCH", path, json=wanted)["approval"]["after"]["body"] == "C"
    call(api, "PATCH", path, 409, json=wanted)
    call(api, "PATCH", path, 400, json={"arguments": {"title": 5}, "edits": 1})
    call(api, "POST", f"{path}/approve", 409, json={"edits": 0})
    answer = call(api, "POST", f"{path}/approve", json={"edits": 1})
    assert call(api, "GET", f"/notes/{answer['approval']['result']['note_id']}")["note"]["body"] == "C"


def test_a_feed_reader_gets_the_notes_by_a_secret_address(api: FlaskClient, workspace: str) -> None:
    body = "See [x](#/notes/n9) & <b>\x0b\ufffe\uffff"
    note = call(api, "POST", "/notes", 201, json={"title": "Roof & <cellar>", "body": body, "tags": ["solar"]})["note"]
    path = call(api, "GET", "/feed")["path"]
    answer = api.get(path)
    assert answer.status_code == 200 and answer.content_type == "application/atom+xml; charset=utf-8"
    atom = "{http://www.w3.org/2005/Atom}"
    (entry,) = ElementTree.fromstring(answer.data).findall(f"{atom}entry")
    assert entry.findtext(f"{atom}title") == "Roof & <cellar>"
    assert entry.findtext(f"{atom}id") == f"urn:memex:{workspace}:{note['id']}"
    assert 'href="http://localhost/#/notes/n9"' in (entry.findtext(f"{atom}content") or "")
    assert b"<entry>" not in api.get(f"{path}?tag=other").data
    assert api.get(f"{path}x").status_code == 404 and api.get("/api/v1/feed/é").status_code == 404
    assert api.get("/api/v1/feed").status_code == 401
    secret = path.rpartition("/")[2]
    assert api.get("/api/v1/notes", headers={"Authorization": f"Bearer {secret}"}).status_code == 401
    assert api.delete(path).status_code == 405


def test_a_note_goes_to_the_trash_and_comes_back(api: FlaskClient) -> None:
    note = call(api, "POST", "/notes", 201, json={"title": "T", "body": "B"})["note"]
    call(api, "DELETE", f"/notes/{note['id']}", 204)
    call(api, "GET", f"/notes/{note['id']}", 404)
    (kept,) = call(api, "GET", "/trash")["notes"]
    assert (kept["id"], kept["title"]) == (note["id"], "T")
    assert call(api, "POST", f"/notes/{note['id']}/restore")["note"]["body"] == "B"
    assert call(api, "GET", "/notes")["notes"][0]["id"] == note["id"]
    call(api, "DELETE", f"/notes/{note['id']}", 204)
    call(api, "DELETE", f"/trash/{note['id']}", 204)
    call(api, "POST", f"/notes/{note['id']}/restore", 404)
    call(api, "DELETE", f"/trash/{note['id']}", 404)


def test_a_target_that_changed_is_a_conflict(api: FlaskClient, app: App, workspace: str, clock: FakeClock) -> None:
    note = call(api, "POST", "/notes", 201, json={"title": "T", "body": "B"})["note"]
    approval_id = propose(app, workspace, clock, "update_note", note_id=note["id"], changes={"body": "Theirs"})
    call(api, "PATCH", f"/notes/{note['id']}", json={"body": "Mine"})
    answer = call(api, "POST", f"/approvals/{approval_id}/approve", 409)
    assert answer["error"]["details"]["status"] == "stale"
    assert call(api, "GET", f"/notes/{note['id']}")["note"]["body"] == "Mine"
    assert call(api, "GET", f"/approvals/{approval_id}")["approval"]["status"] == "stale"


def test_a_note_is_found_once_it_is_indexed(api: FlaskClient, app: App, workspace: str) -> None:
    note = call(api, "POST", "/notes", 201, json={"title": "Roof", "body": "New panels.", "tags": ["solar"]})["note"]
    assert call(api, "GET", "/search?q=panel")["hits"] == []
    app.enriching.note(workspace, note["id"])
    (hit,) = call(api, "GET", "/search?q=panel&tag=solar&kind=capture")["hits"]
    assert (hit["id"], hit["excerpt"], hit["matched"]) == (note["id"], "New panels.", ["panel"])
    read = call(api, "GET", f"/notes/{note['id']}")
    assert read["summary"] == "New panels."
    call(api, "PATCH", f"/notes/{note['id']}", json={"summary": "Mine"})
    assert call(api, "GET", f"/notes/{note['id']}")["summary"] == "Mine"


def test_names_in_a_note_lead_to_the_notes_of_these_titles(api: FlaskClient, clock: FakeClock) -> None:
    older = call(api, "POST", "/notes", 201, json={"title": "Roof", "body": "Old."})["note"]
    newer = call(api, "POST", "/notes", 201, json={"title": "Roof", "body": "New."})["note"]
    body = "See [[roof]] and [[Cellar]]."
    note = call(api, "POST", "/notes", 201, json={"title": "T", "body": body})["note"]
    markup = call(api, "GET", f"/notes/{note['id']}")["html"]
    assert f'<a href="#/notes/{newer["id"]}">roof</a>' in markup and older["id"] not in markup
    assert '<span class="missing">[[Cellar]]</span>' in markup


def test_a_routine_on_demand_writes_its_note_once(api: FlaskClient) -> None:
    call(api, "POST", "/notes", 201, json={"title": "Roof", "body": "New panels."})
    first, again = (call(api, "POST", "/routines/digest/run") for _ in range(2))
    assert first["created"] and not again["created"] and first["note_id"] == again["note_id"]
    assert "[Roof]" in call(api, "GET", f"/notes/{first['note_id']}")["note"]["body"]


def test_another_workspace_sees_nothing(api: FlaskClient, firestore: Client, clock: FakeClock) -> None:
    other = WorkspaceStore(firestore, "another", clock, random.Random(1), CountingIds("o"))
    proposing().call(job(other, clock, "other"), "create_note", {"body": "B"})
    assert call(api, "GET", "/approvals")["approvals"] == []


def test_the_chat_makes_the_digest_that_the_address_makes(
    api: FlaskClient, app: App, workspace: str, clock: FakeClock
) -> None:
    call(api, "POST", "/notes", 201, json={"title": "Roof"})
    asked = job(app.store(workspace), clock, services=app.services(workspace))
    made = acting().call(asked, "make_digest", {"kind": "digest"})
    answer = call(api, "POST", "/routines/digest/run")
    assert answer["note_id"] == made.result["note_id"] and not answer["created"]
