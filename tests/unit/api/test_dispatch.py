"""What the API refuses before any store is asked: there is none here, so asking one would fail."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from shared.bootstrap import App
from shared.contracts.limits import REQUEST_BYTES
from shared.errors import Transient
from tests.support.http import AUTH, api_client, make_app
from tests.support.seams import FakeClock


class NoStore(App):
    """Asking for a store is a bug, which the API answers as one."""

    def store(self, workspace: str) -> Any:
        raise RuntimeError(f"secret internals: asked for {workspace}")


@pytest.fixture
def client() -> FlaskClient:
    return api_client(NoStore(make_app(FakeClock()).settings, clock=FakeClock()))


def error(answer: Any, status: int) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.content_type == "application/json" and set(answer.json) == {"error"}
    assert set(answer.json["error"]) == {"code", "message", "details"}
    return dict(answer.json["error"])


def field(answer: Any) -> str:
    return str(error(answer, 400)["details"]["field"])


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic x"}])
@pytest.mark.parametrize("path", ["/api/v1/notes", "/api/v1/absent", "/api/v1/operations/x"])
def test_without_a_good_token_everything_is_refused_alike(client: FlaskClient, path: str, headers: Any) -> None:
    answer = client.get(path, headers=headers)
    assert error(answer, 401)["code"] == "unauthorized" and answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "path",
    ["/", "/api", "/api/v1", "/api/v1/", "/api/v2/notes", "/api/v1/absent", "/api/v1/notes/a/b", "/api/v1//notes"],
)
def test_an_unknown_address_is_not_found(client: FlaskClient, path: str) -> None:
    error(client.get(path, headers=AUTH), 404)


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("PUT", "/api/v1/notes", "GET, POST"),
        ("POST", "/api/v1/notes/n", "DELETE, GET, PATCH"),
        ("DELETE", "/api/v1/operations/o", "GET"),
        ("GET", "/api/v1/operations/o/cancel", "POST"),
        ("POST", "/api/v1/openapi.json", "GET"),
        ("OPTIONS", "/api/v1/notes", "GET, POST"),
    ],
)
def test_a_wrong_method_is_told_the_right_ones(client: FlaskClient, method: str, path: str, allow: str) -> None:
    answer = client.open(path, method=method, headers=AUTH)
    error(answer, 405)
    assert answer.headers["Allow"] == allow


@pytest.mark.parametrize(
    "name",
    [
        "..",
        "%2e%2e",
        "%2E%2E%2Fx",
        "a%2Fb",
        "%00",
        "%20",
        "",
        "%09%E3%80%80",
        ".",
        "%2e",
        "__x__",
        "a" * 1501,
        "%C3%A9" * 751,
    ],
)
@pytest.mark.parametrize("path", ["/api/v1/notes/{}", "/api/v1/operations/{}", "/api/v1/operations/{}/events"])
def test_an_id_that_is_none_is_refused(client: FlaskClient, path: str, name: str) -> None:
    raw = path.format(name)
    answer = client.open("/api/v1/notes", headers=AUTH, environ_overrides={"RAW_URI": raw, "REQUEST_URI": raw})
    assert field(answer) == "id"


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("limit=-1", "limit"),
        ("limit=1e2", "limit"),
        ("limit=", "limit"),
        ("limit=%D9%A1", "limit"),
        ("limit=1&limit=2", "limit"),
        ("kind=insight", "kind"),
        ("q=", "q"),
        ("q=" + "x" * 201, "q"),
        ("tag=%20", "tag"),
        ("offset=3", "offset"),
        ("status=running", "status"),
        ("Limit=1", "Limit"),
    ],
)
def test_a_bad_query_parameter_is_named(client: FlaskClient, query: str, name: str) -> None:
    assert field(client.get(f"/api/v1/notes?{query}", headers=AUTH)) == name


def test_an_unknown_state_is_refused(client: FlaskClient) -> None:
    assert field(client.get("/api/v1/operations?status=done", headers=AUTH)) == "status"


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ({"tags": ["a", "b", "c", "x" * 65]}, "tags.3"),
        ({"tags": ["a"] * 51}, "tags"),
        ({"tags": "research"}, "tags"),
        ({"title": 7}, "title"),
        ({"title": "x" * 301}, "title"),
        ({"titel": "x"}, "titel"),
        ({"kind": "research"}, "kind"),
        ([], "body"),
        ("x", "body"),
    ],
)
def test_a_bad_body_names_its_field(client: FlaskClient, body: Any, name: str) -> None:
    problem = error(client.post("/api/v1/notes", headers=AUTH, json=body), 400)
    assert problem["details"]["field"] == name
    assert problem["message"].startswith(f"{name}: ")


@pytest.mark.parametrize("raw", [b"", b"{", b"\xff", b'{"title": NaN}', b'{"title": "\\ud800"}', b"[" * 100_000])
def test_what_is_no_json_is_refused(client: FlaskClient, raw: bytes) -> None:
    error(client.post("/api/v1/notes", headers=AUTH, data=raw, content_type="application/json"), 400)


def test_a_value_is_not_repeated_in_the_refusal(client: FlaskClient) -> None:
    answer = client.post("/api/v1/notes", headers=AUTH, json={"title": 7, "tags": ["<script>" * 20]})
    assert "script" not in answer.text and len(error(answer, 400)["details"]["errors"]) == 2


def test_our_own_words_about_a_value_stand_alone(client: FlaskClient) -> None:
    problem = error(client.post("/api/v1/notes", headers=AUTH, json={"tags": ["two words!"]}), 400)
    assert problem["message"].startswith("tags.0: a tag is one word")


def test_another_content_type_is_refused(client: FlaskClient) -> None:
    error(client.post("/api/v1/notes", headers=AUTH, data=b"{}", content_type="text/plain"), 415)
    error(client.post("/api/v1/notes", headers=AUTH, data=b"{}"), 415)


def test_a_body_that_is_too_large_is_refused(client: FlaskClient) -> None:
    raw = json.dumps({"body": "x" * REQUEST_BYTES}).encode()
    error(client.post("/api/v1/notes", headers=AUTH, data=raw, content_type="application/json"), 413)


@pytest.mark.parametrize("key", ["", " ", "x" * 201, "x" * 1_000_000, "a\tb", "\x7f"])
def test_a_bad_idempotency_key_is_refused(client: FlaskClient, key: str) -> None:
    answer = client.post("/api/v1/notes", headers=AUTH | {"Idempotency-Key": key}, json={})
    assert field(answer) == "Idempotency-Key"


def test_a_bug_is_answered_without_internals(client: FlaskClient) -> None:
    answer = client.get("/api/v1/notes", headers=AUTH)
    assert error(answer, 500)["code"] == "internal" and "secret" not in answer.text


def test_what_may_be_tried_again_says_when() -> None:
    class Away(App):
        def store(self, workspace: str) -> Any:
            raise Transient("away", retry_after_seconds=1.5)

    answer = api_client(Away(make_app(FakeClock()).settings, clock=FakeClock())).get("/api/v1/notes", headers=AUTH)
    assert error(answer, 503)["code"] == "unavailable" and answer.headers["Retry-After"] == "2"
