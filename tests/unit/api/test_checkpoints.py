"""The checkpoints over HTTP: one's own are listed, shown and forgotten; a guessed id is none."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from google.cloud.firestore_v1 import Client

from shared.bootstrap import App
from shared.contracts.sessions import SessionStoreKind
from shared.sessions.port import Head, Sealed
from tests.contract.sessions.world import envelope
from tests.support.http import AUTH, api_client, make_app
from tests.support.seams import FakeClock

PATH = "/api/v1/chat/checkpoints"


@pytest.fixture
def app(firestore: Client) -> App:
    made = make_app(FakeClock(), SESSIONS="memory")
    vars(made)["firestore"] = firestore
    return made


@pytest.fixture
def client(app: App) -> FlaskClient:
    return api_client(app)


@pytest.fixture
def stranger(app: App) -> FlaskClient:
    """Somebody of another workspace, at the same store."""
    other = make_app(FakeClock(), "other", SESSIONS="memory")
    vars(other)["session_stores"], vars(other)["firestore"] = app.session_stores, app.firestore
    return api_client(other)


def test_ones_own_are_listed_in_pages_with_what_the_store_says_of_itself(app: App, client: FlaskClient) -> None:
    for n in range(1, 4):
        app.session_stores.of("demo").persist(f"s{n}", envelope(n))
    first = client.get(PATH, query_string={"limit": 2}, headers=AUTH).json
    rest = client.get(PATH, query_string={"limit": 2, "cursor": first["next_cursor"]}, headers=AUTH).json
    assert [one["session_id"] for one in (*first["checkpoints"], *rest["checkpoints"])] == ["s3", "s2", "s1"]
    assert first["store"]["kind"] == "memory" and "lost when the process ends" in first["store"]["about"]
    assert first["store"]["retention"]["active"] is True and rest["next_cursor"] is None
    assert client.get(PATH, query_string={"limit": 200}, headers=AUTH).status_code == 200


def test_one_is_shown_and_forgotten(app: App, client: FlaskClient) -> None:
    app.session_stores.of("demo").persist("s1", envelope(1))
    shown = client.get(f"{PATH}/s1", headers=AUTH).json
    assert shown["session_id"] == "s1" and shown["checkpoint"]["data"] == {"turn": 1}
    assert client.delete(f"{PATH}/s1", headers=AUTH).status_code == 204
    assert client.delete(f"{PATH}/s1", headers=AUTH).status_code == 404
    assert client.get(f"{PATH}/s1", headers=AUTH).status_code == 404


def test_a_guessed_id_answers_as_one_that_does_not_exist(app: App, client: FlaskClient, stranger: FlaskClient) -> None:
    app.session_stores.of("demo").persist("s1", envelope(1))
    for method in ("GET", "DELETE"):
        guessed, absent = (stranger.open(f"{PATH}/{name}", method=method, headers=AUTH) for name in ("s1", "s2"))
        assert guessed.status_code == absent.status_code == 404
        assert guessed.json["error"]["message"].replace("s1", "s2") == absent.json["error"]["message"]
    assert stranger.get(PATH, headers=AUTH).json["checkpoints"] == []
    assert client.get(f"{PATH}/s1", headers=AUTH).status_code == 200


def test_one_whose_owner_cannot_be_told_any_more_is_forgotten_by_who_has_the_chat(
    app: App, client: FlaskClient, stranger: FlaskClient
) -> None:
    session = client.post("/api/v1/chat/sessions", json={}, headers=AUTH).json["session"]["id"]
    store = app.session_stores.open(SessionStoreKind.MEMORY, "demo")
    store.persist(session, envelope(1, owner=None))
    kept = store._shelf._kept  # type: ignore[attr-defined]
    kept[session] = Sealed(session, envelope(1), "{", Head(1, None, ""))
    for method in ("GET", "DELETE"):
        assert stranger.open(f"{PATH}/{session}", method=method, headers=AUTH).status_code == 404
    assert client.get(f"{PATH}/{session}", headers=AUTH).status_code == 404
    assert client.delete(f"{PATH}/{session}", headers=AUTH).status_code == 204 and session not in kept
