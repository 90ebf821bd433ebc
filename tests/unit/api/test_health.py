"""A function says whether it has what it needs: quickly, to anyone, and without a word that is private."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask, request
from flask.testing import FlaskClient
from google.api_core.exceptions import ServiceUnavailable
from google.cloud.firestore_v1 import Client

from shared.api import dispatch, health
from shared.bootstrap import App
from shared.config import Settings
from tests.support.seams import FakeClock

TOKENS = f"{'0' * 64}=demo"


class Broken:
    """A Firestore that is away; counts who asks."""

    def __init__(self) -> None:
        self.asked = 0

    def document(self, _path: str) -> Broken:
        return self

    def get(self, *_given: Any, **_also: Any) -> None:
        self.asked += 1
        raise ServiceUnavailable("secret-host-17 is away")


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


def app_with(firestore: Any, clock: FakeClock, **env: str) -> App:
    settings = Settings.from_env({"GOOGLE_CLOUD_PROJECT": "p", "API_TOKENS": TOKENS, **env})
    app = App(settings, clock=clock, randomness=random.Random(1))
    app.firestore = firestore
    return app


def client_of(app: App, function: str | None = None) -> FlaskClient:
    web = Flask(__name__)

    @web.route("/<path:_path>", methods=["GET", "POST"])
    def every(_path: str) -> Any:
        return dispatch.respond(app, request, function)

    return web.test_client()


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(health, "_kept", health._Kept())
    yield


def test_what_is_needed_is_listed_with_how_long_it_took(firestore: Client, clock: FakeClock) -> None:
    answer = client_of(app_with(firestore, clock)).get("/_health")
    assert answer.status_code == 200 and answer.json["status"] == "ok"
    found = {check["name"]: check["status"] for check in answer.json["checks"]}
    assert found == {"firestore": "ok", "credentials": "ok", "models": "ok", "files": "unused"}
    assert all(set(check) == {"name", "status", "milliseconds"} for check in answer.json["checks"])


def test_what_fails_is_named_and_why_is_not_told(clock: FakeClock) -> None:
    answer = client_of(app_with(Broken(), clock)).get("/_health")
    assert answer.status_code == 503 and answer.json["status"] == "failing"
    assert "secret-host" not in answer.text
    assert {check["name"] for check in answer.json["checks"] if check["status"] == "failing"} == {"firestore"}


def test_however_many_ask_it_is_looked_at_every_few_seconds(clock: FakeClock) -> None:
    broken = Broken()
    client = client_of(app_with(broken, clock))
    for _ in range(50):
        client.get("/_health")
    assert broken.asked == 1
    clock.sleep(health.KEPT.total_seconds() + 1)
    client.get("/_health")
    assert broken.asked == 2


def test_settings_that_are_missing_are_a_failure(firestore: Client, clock: FakeClock) -> None:
    answer = client_of(app_with(firestore, clock, MODEL_BACKEND="openai")).get("/_health")
    assert answer.status_code == 503
    assert {check["name"] for check in answer.json["checks"] if check["status"] == "failing"} == {"models"}


def test_each_function_answers_for_itself(firestore: Client, clock: FakeClock) -> None:
    app = app_with(firestore, clock)
    assert client_of(app, "api").get("/api/v1/_health").status_code == 200
    assert client_of(app, "api").get("/api/v1/chat/_health").status_code == 421
    assert client_of(app, "chat").get("/api/v1/chat/_health").status_code == 200
    assert client_of(app).post("/api/v1/_health").status_code == 401
