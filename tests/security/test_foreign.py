"""One workspace's token and the ids of another, at every route: nothing is shown of it and nothing changes in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from google.cloud.firestore_v1 import Client, DocumentReference

from shared.api.route import Route
from shared.api.table import ROUTES
from shared.bootstrap import App
from shared.store.collections import COLLECTIONS
from tests.support.http import AUTH, api_client, settings
from tests.support.seams import FakeClock

CANARY = "canary-of-the-other-workspace"
ID = "x1"
LAST = ("DELETE /workspace",)
"""What closes the caller's own workspace comes when everything else was tried."""


class Theirs:
    """A workspace in which every collection has something, and the canary in it."""

    def __init__(self, client: Client, workspace: str) -> None:
        self._root = client.document(f"workspaces/{workspace}")
        self._root.set({"name": CANARY, "plan": "pro"})
        for collection in COLLECTIONS:
            path = "/".join(ID if segment == "*" else segment for segment in collection.pattern.split("/"))
            self._root.collection(path).document(ID).set(
                {"title": CANARY, "body": CANARY, "id": ID, "status": "running"}
            )

    def ledger(self) -> dict[str, Any]:
        """Every document with the moment it was last written."""
        return dict(_below(self._root))


def _below(owner: DocumentReference) -> Iterator[tuple[str, Any]]:
    for collection in owner.collections():
        for found in collection.list_documents():
            snapshot = found.get()
            yield found.path, (snapshot.to_dict(), snapshot.update_time)
            yield from _below(found)


def asked(route: Route) -> tuple[str, dict[str, Any]]:
    """The address of the route with the other workspace's ids, and what is sent."""
    path = "/".join(segment if segment[0] != "{" else ID for segment in route.segments)
    query = {"q": CANARY} if "q" in {one.name for one in route.query} else {}
    return f"/api/v1/{path}", {"query_string": query, **({} if route.method == "GET" else {"json": {}})}


def named(route: Route) -> str:
    return f"{route.method} {route.path}"


@pytest.mark.parametrize("header", [{}, {"X-Memex-Workspace": "theirs"}], ids=["as they are", "naming the other"])
def test_no_route_shows_or_changes_what_is_another_workspaces(firestore: Client, header: dict[str, str]) -> None:
    theirs = Theirs(firestore, "theirs")
    before = theirs.ledger()
    assert len(before) > len(COLLECTIONS) // 2 and CANARY in str(before)
    env = {"MODEL_BACKEND": "none", "WORKFLOWS_ENDPOINT": "127.0.0.1:9", "SESSIONS": "memory"}
    app = App(settings("ours", **env), clock=FakeClock())
    vars(app).update(firestore=firestore)
    client = api_client(app)
    for route in sorted(ROUTES, key=lambda route: named(route) in LAST):
        path, sent = asked(route)
        answer = client.open(path, method=route.method, headers={**AUTH, **header}, **sent)
        told = f"{answer.headers} {answer.text}".replace(f"/{ID}", "")
        assert CANARY not in told, named(route)
        assert not header or answer.status_code == 403 or route.secret_address, named(route)
    assert theirs.ledger() == before
