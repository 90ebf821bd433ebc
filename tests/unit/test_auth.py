"""Identity tokens of our own services."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from werkzeug.datastructures import Headers

from shared.auth import require_internal_caller
from shared.config import Settings
from shared.errors import Forbidden, Unauthorized

SETTINGS = Settings.from_env(
    {
        "GOOGLE_CLOUD_PROJECT": "p",
        "FUNCTION_URL": "https://x/{name}",
        "FUNCTION_AUDIENCES": "https://{name}.memex.example/, https://old.example/{name}",
        "FUNCTION_CALLERS": "research=wf@p.iam.gserviceaccount.com, b@p",
    }
)
GOOD = {"aud": "https://x/research", "email": "wf@p.iam.gserviceaccount.com", "email_verified": True}


def bearer(token: str) -> Headers:
    return Headers({"Authorization": f"Bearer {token}"})


def jwt(claims: Any, header: Any = None) -> str:
    parts = (json.dumps(each).encode() for each in (header or {"alg": "none"}, claims))
    encoded = [base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts]
    return ".".join([*encoded, "SIGNATURE_REMOVED_BY_GOOGLE"])


def test_a_named_account_may_call() -> None:
    assert require_internal_caller(bearer(jwt(GOOD)), "research", SETTINGS) == GOOD["email"]
    without = {name: GOOD[name] for name in ("aud", "email")}
    assert require_internal_caller(bearer(jwt(without)), "research", SETTINGS)


@pytest.mark.parametrize(
    "audience",
    [
        "https://x/research/",
        "https://x/research?__GCP_CloudEventsMode=CE_PUBSUB_BINDING",
        "https://x/research/?__GCP_CloudEventsMode=CE_PUBSUB_BINDING",
        "https://research.memex.example",
        "https://research.memex.example/",
        "https://old.example/research/poll",
    ],
)
def test_a_push_may_name_the_whole_address_or_another_that_is_set(audience: str) -> None:
    assert require_internal_caller(bearer(jwt(GOOD | {"aud": audience})), "research", SETTINGS)


@pytest.mark.parametrize(
    "audience",
    [
        "https://x/researcher",
        "https://x/research.evil.example",
        "https://x/research@evil.example",
        "https://x/research#x",
        "https://x",
        "http://x/research",
        "https://research.memex.example.evil.example/",
        "https://evil.example/https://x/research/",
        "",
    ],
)
def test_an_address_that_only_looks_alike_is_another(audience: str) -> None:
    with pytest.raises(Unauthorized):
        require_internal_caller(bearer(jwt(GOOD | {"aud": audience})), "research", SETTINGS)


@pytest.mark.parametrize(
    "claims",
    [GOOD | {"email": "evil@q"}, GOOD | {"email": None}, GOOD | {"email_verified": False}, GOOD | {"email": ["b@p"]}],
)
def test_any_other_account_is_forbidden(claims: dict[str, Any]) -> None:
    with pytest.raises(Forbidden):
        require_internal_caller(bearer(jwt(claims)), "research", SETTINGS)


@pytest.mark.parametrize(
    "token",
    [
        jwt(GOOD | {"aud": "https://x/api"}),
        jwt(GOOD | {"aud": None}),
        jwt(GOOD | {"aud": ["https://x/research", "https://evil"]}),
        jwt([]),
        jwt("x"),
        "a.b",
        "a.b.c",
        "...",
        "a.\u00e9.c",
        "secret",
        "a." + base64.urlsafe_b64encode(b"[" * 100_000).decode() + ".c",
    ],
)
def test_a_token_for_something_else_is_unauthorized(token: str) -> None:
    with pytest.raises(Unauthorized):
        require_internal_caller(bearer(token), "research", SETTINGS)


def test_without_a_token_nobody_gets_in() -> None:
    with pytest.raises(Unauthorized):
        require_internal_caller(Headers(), "research", SETTINGS)


def test_a_function_without_callers_lets_nobody_in() -> None:
    with pytest.raises(Forbidden):
        require_internal_caller(bearer(jwt(GOOD | {"aud": "https://x/reconcile"})), "reconcile", SETTINGS)


def test_the_token_that_iam_has_verified_is_the_one_that_counts() -> None:
    headers = bearer(jwt(GOOD))
    headers["X-Serverless-Authorization"] = f"Bearer {jwt(GOOD | {'email': 'evil@q'})}"
    with pytest.raises(Forbidden):
        require_internal_caller(headers, "research", SETTINGS)
