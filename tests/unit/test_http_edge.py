"""The edge of private HTTP functions."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from flask import Flask, Response, request

from shared.config import Settings
from shared.contracts.research import FailAnswer, FailRequest
from shared.errors import Conflict, Transient
from shared.http_edge import respond

CALLER = "wf@p.iam.gserviceaccount.com"
SETTINGS = Settings(project="p", function_url="https://f.example/{name}", callers={"work": CALLER})
BODY = {"workspace": "w", "operation_id": "op", "message": "m"}


def token(audience: str = "https://f.example/work", email: str = CALLER) -> str:
    parts = ({"alg": "RS256"}, {"aud": audience, "email": email, "email_verified": True})
    return ".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts) + "."


def called(
    body: Any = BODY, *, path: str = "/fail", method: str = "POST", bearer: str | None = None, raises: Any = None
) -> tuple[Response, list[FailRequest]]:
    seen: list[FailRequest] = []

    def work(asked: FailRequest) -> FailAnswer:
        seen.append(asked)
        if raises is not None:
            raise raises
        return FailAnswer(operation=None)

    data = body if isinstance(body, bytes) else json.dumps(body)
    headers = {"Authorization": f"Bearer {token() if bearer is None else bearer}"}
    with Flask("test").test_request_context(path, method=method, data=data, headers=headers):
        verbs = {"fail": (FailRequest, work)}
        return respond(request, function="work", settings=SETTINGS, verbs=lambda: verbs), seen


def test_a_verb_is_called_with_its_body_and_its_answer_comes_back() -> None:
    answer, seen = called()
    assert (answer.status_code, answer.get_json()) == (200, {"operation": None})
    assert seen == [FailRequest(**BODY)]


@pytest.mark.parametrize("raw", [b"{", b"[" * 100_000, b'{"workspace":"w","operation_id":"\\ud800","message":"m"}'])
def test_what_is_no_json_text_is_refused_and_nothing_is_done(raw: bytes) -> None:
    answer, seen = called(raw)
    assert (answer.status_code, seen) == (400, [])


def test_the_path_may_hold_the_functions_own_address_before_the_verb() -> None:
    assert called(path="/work/fail")[0].status_code == 200
    assert called(path="/fail/")[0].status_code == 200


@pytest.mark.parametrize(
    ("bearer", "status"),
    [("", 401), ("x.y", 401), (token(audience="https://f.example/other"), 401), (token(email="else@p"), 403)],
)
def test_other_callers_are_refused_and_nothing_is_done(bearer: str, status: int) -> None:
    answer, seen = called(bearer=bearer)
    assert (answer.status_code, seen) == (status, [])


@pytest.mark.parametrize(("path", "method"), [("/", "POST"), ("/other", "POST"), ("/fail", "GET")])
def test_other_paths_and_methods_are_not_found(path: str, method: str) -> None:
    assert called(path=path, method=method)[0].status_code == 404


@pytest.mark.parametrize("body", [b"{", b"\xff", b"[" * 100_000, [], {}, {**BODY, "extra": 1}, {**BODY, "fence": "x"}])
def test_a_malformed_body_is_bad_input_and_names_the_field(body: Any) -> None:
    answer, seen = called(body)
    assert (answer.status_code, seen) == (400, [])
    assert answer.get_json()["error"]["details"]["field"]


def test_errors_of_the_tree_keep_their_status_and_transient_ones_say_when_to_come_again() -> None:
    assert called(raises=Conflict("x"))[0].status_code == 409
    later = called(raises=Transient("x", retry_after_seconds=7))[0]
    assert (later.status_code, later.headers["Retry-After"]) == (503, "7")


def test_what_nobody_expected_is_answered_without_its_text() -> None:
    answer = called(raises=RuntimeError("secret"))[0]
    assert answer.status_code == 500 and "secret" not in answer.get_data(as_text=True)
