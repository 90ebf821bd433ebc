"""Pages of other origins: which may call, and what a preflight is told before anyone asks who calls."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.support.http import AUTH, api_client, make_app
from tests.support.seams import FakeClock

PAGE = "https://memex.example"
ASKED = {
    "Origin": PAGE,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type,idempotency-key,last-event-id",
}
PATHS = ["/api/v1/notes", "/api/v1/operations/o/events", "/api/v1/chat/sessions/s/messages", "/api/v1/absent", "/"]


@pytest.fixture
def client() -> FlaskClient:
    return api_client(make_app(FakeClock(), CORS_ORIGINS=f"{PAGE}, http://127.0.0.1:8000/"))


@pytest.mark.parametrize("path", PATHS)
def test_a_preflight_is_answered_without_a_token(client: FlaskClient, path: str) -> None:
    answer = client.options(path, headers=ASKED)
    assert answer.status_code == 204 and answer.data == b""
    assert answer.headers["Access-Control-Allow-Origin"] == PAGE and answer.headers["Vary"] == "Origin"
    allowed = answer.headers["Access-Control-Allow-Headers"].lower().split(", ")
    assert set(allowed) == {"authorization", "content-type", "last-event-id", "idempotency-key", "x-memex-workspace"}
    assert {"GET", "POST", "PUT", "PATCH", "DELETE"} <= set(answer.headers["Access-Control-Allow-Methods"].split(", "))


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://memex.example", f"{PAGE}.evil.example", ""])
def test_another_origin_is_allowed_nothing(client: FlaskClient, origin: str) -> None:
    for answer in (
        client.options("/api/v1/notes", headers={**ASKED, "Origin": origin}),
        client.get("/api/v1/absent", headers={**AUTH, "Origin": origin}),
    ):
        assert not [name for name in answer.headers.keys() if name.startswith("Access-Control")]  # noqa: SIM118
        assert answer.headers["Vary"] == "Origin"


@pytest.mark.parametrize("headers", [{}, AUTH])
def test_refusals_can_be_read_by_the_page(client: FlaskClient, headers: dict[str, str]) -> None:
    answer = client.get("/api/v1/absent", headers={**headers, "Origin": "http://127.0.0.1:8000"})
    assert answer.status_code in (401, 404)
    assert answer.headers["Access-Control-Allow-Origin"] == "http://127.0.0.1:8000"
    assert "Retry-After" in answer.headers["Access-Control-Expose-Headers"]
    assert "Access-Control-Allow-Credentials" not in answer.headers


def test_without_the_setting_no_origin_is_allowed() -> None:
    answer: Any = api_client(make_app(FakeClock())).options("/api/v1/notes", headers=ASKED)
    assert answer.status_code == 204 and "Access-Control-Allow-Origin" not in answer.headers


def test_an_options_request_that_is_no_preflight_is_an_ordinary_one(client: FlaskClient) -> None:
    assert client.options("/api/v1/notes", headers=AUTH).status_code == 405
    assert client.options("/api/v1/notes").status_code == 401
