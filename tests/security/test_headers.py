"""The security headers: on every answer of every public function, and in agreement with those of the page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from shared.api import answers
from shared.api.security import HEADERS, secured
from shared.contracts.members import Role
from shared.errors import InputError
from shared.mcp import endpoint
from tests.security.callers import app_with, client_of, entrance, static

PAGE = "https://memex.example"
HOSTING = json.loads((Path(__file__).parents[2] / "infra" / "hosting.json").read_text())["headers"]


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/api/v1/openapi.json", {}, 200),
        ("GET", "/api/v1/me", static(Role.READER), 200),
        ("GET", "/api/v1/me", {}, 401),
        ("GET", "/api/v1/absent", static(Role.READER), 404),
        ("PUT", "/api/v1/me", static(Role.READER), 405),
        ("GET", "/elsewhere", {}, 404),
        ("GET", "/api/v1/notes", static(Role.READER), 500),
        ("OPTIONS", "/api/v1/notes", {"Origin": PAGE, "Access-Control-Request-Method": "GET"}, 204),
    ],
)
def test_every_answer_has_them(method: str, path: str, headers: dict[str, str], status: int) -> None:
    app = app_with(entrance(), CORS_ORIGINS=PAGE)
    vars(app).update(firestore=None)  # asking it for something is the bug that is answered with 500
    answer = client_of(app, "api").open(path, method=method, headers={"Origin": PAGE, **headers})
    assert answer.status_code == status, answer.text
    assert {name: answer.headers.getlist(name) for name in HEADERS} == {
        name: [value] for name, value in HEADERS.items()
    }
    assert answer.headers["Access-Control-Allow-Origin"] == PAGE, "what may not be embedded may still be asked for"


def test_who_asks_for_the_health_learns_whether_and_not_why() -> None:
    app = app_with(entrance())
    vars(app).update(firestore=None)  # asking it is an error
    answer = client_of(app, "api").get("/_health")
    assert answer.status_code == 503 and {name: answer.headers[name] for name in HEADERS} == dict(HEADERS)
    failing = [check for check in answer.json["checks"] if check["status"] == "failing"]
    assert [set(check) for check in failing] == [{"name", "status", "milliseconds"}]


def test_what_is_streamed_or_says_more_of_itself_has_them_too() -> None:
    frames = answers.event_stream(iter(()), lambda: None)
    assert {name: frames.headers[name] for name in HEADERS} == dict(HEADERS)
    file = answers.empty()
    file.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
    assert secured(file).headers.getlist("Content-Security-Policy") == ["sandbox; default-src 'none'"]
    refusal = endpoint._refused(InputError("x"))
    assert {name: refusal.headers[name] for name in HEADERS} == dict(HEADERS)


def test_the_page_and_the_api_say_the_same_where_both_speak() -> None:
    same = ("X-Content-Type-Options", "Referrer-Policy", "Cross-Origin-Resource-Policy")
    assert {name: HEADERS[name] for name in same} == {name: HOSTING[name] for name in same}
    ours, theirs = (directives(headers["Content-Security-Policy"]) for headers in (HEADERS, HOSTING))
    for name in ("default-src", "base-uri", "frame-ancestors"):
        assert ours[name] == theirs[name] == "'none'"
    assert "unsafe" not in HOSTING["Content-Security-Policy"] and "*" not in HOSTING["Content-Security-Policy"]


def directives(policy: str) -> dict[str, Any]:
    return dict(re.split(r"\s+", part.strip(), maxsplit=1) for part in policy.split(";") if " " in part.strip())
