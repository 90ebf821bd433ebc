"""Subscribers through functions-framework: who may call them, and which answers make Pub/Sub deliver again."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from functions_framework import create_app

from shared import bootstrap
from shared.bootstrap import App
from shared.errors import Conflict, InputError, SettingsError, Transient
from shared.trace.received import TraceEvent, received
from tests.support.http import settings
from tests.support.seams import FakeClock
from tests.unit.test_auth import jwt
from tests.unit.usage.events import turn_ended

FUNCTIONS = Path(__file__).parents[2] / "functions"
CALLER = "eventarc@memex-local.iam.gserviceaccount.com"
SUBSCRIBERS = {"usage-meter": "metering", "on-trace-archive": "archive", "brain-events": "brain"}
TOLD = turn_ended("demo")


class FakeSubscriber:
    def __init__(self) -> None:
        self.heard: list[TraceEvent] = []
        self.failure: Exception | None = None

    def event(self, event: TraceEvent) -> None:
        if self.failure is not None:
            raise self.failure
        self.heard.append(event)


def message(**changes: Any) -> dict[str, Any]:
    told = {
        "data": base64.b64encode(TOLD.envelope.model_dump_json().encode()).decode(),
        "attributes": {"workspace": "demo", "type": "turn_ended", "stream": "chat_sessions/s1"},
        "messageId": "m1",
    }
    return {"message": told | changes, "subscription": "projects/p/subscriptions/s"}


@pytest.fixture
def subscriber() -> FakeSubscriber:
    return FakeSubscriber()


@pytest.fixture(params=list(SUBSCRIBERS))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def client(name: str, subscriber: FakeSubscriber, monkeypatch: pytest.MonkeyPatch) -> Iterator[FlaskClient]:
    monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "p")
    app = App(settings(FUNCTION_URL="https://x/{name}", FUNCTION_CALLERS=f"{name}={CALLER}"), clock=FakeClock())
    vars(app).update({SUBSCRIBERS[name]: subscriber})
    bootstrap.use(app)
    entry = name.replace("-", "_")
    yield create_app(entry, str(FUNCTIONS / entry / "main.py"), "cloudevent").test_client()
    bootstrap.use(None)


def deliver(client: FlaskClient, name: str, body: Any = None, *, token: str | None = None) -> Any:
    headers = {
        "ce-specversion": "1.0",
        "ce-id": "m1",
        "ce-type": "google.cloud.pubsub.topic.v1.messagePublished",
        "ce-source": "//pubsub.googleapis.com/projects/p/topics/trace-events",
        "ce-time": "2026-10-01T00:00:00Z",  # two months ago
        "authorization": f"Bearer {token or jwt({'aud': f'https://x/{name}', 'email': CALLER})}",
    }
    return client.post("/", json=message() if body is None else body, headers=headers)


def test_an_event_is_worked_on_however_old_it_is(client: FlaskClient, name: str, subscriber: FakeSubscriber) -> None:
    assert deliver(client, name).status_code == 200
    assert subscriber.heard == [TOLD]


def test_nobody_else_gets_in(client: FlaskClient, name: str, subscriber: FakeSubscriber) -> None:
    wrong = {"x": 401, jwt({"aud": f"https://x/{name}", "email": "who@other.iam.gserviceaccount.com"}): 403}
    for token, status in wrong.items():
        assert deliver(client, name, token=token).status_code == status
    assert subscriber.heard == []


@pytest.mark.parametrize(
    ("failure", "status"), [(Transient("away"), 503), (SettingsError("set it"), 500), (Conflict("no"), 200)]
)
def test_what_may_work_later_is_delivered_again_and_what_cannot_is_not(
    client: FlaskClient, name: str, subscriber: FakeSubscriber, failure: Exception, status: int
) -> None:
    client.application.config["PROPAGATE_EXCEPTIONS"] = False
    subscriber.failure = failure
    assert deliver(client, name).status_code == status


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"message": []},
        message(attributes=None),
        message(attributes={}),
        message(attributes={"workspace": "../other"}),
        message(attributes={"workspace": ["demo"]}),
        message(data=None),
        message(data="%%%"),
        message(data=base64.b64encode(b"\xff\xfe").decode()),
        message(data=base64.b64encode(json.dumps({"id": "x"}).encode()).decode()),
        message(data=7),
    ],
)
def test_what_is_no_trace_event_is_a_dead_letter(
    client: FlaskClient, name: str, subscriber: FakeSubscriber, body: Any, caplog: pytest.LogCaptureFixture
) -> None:
    assert deliver(client, name, body).status_code == 200
    assert subscriber.heard == [] and any("dead letter" in record.message for record in caplog.records)
    with pytest.raises(InputError):
        received(body)


def test_an_events_key_is_its_own_and_the_same_each_time_it_comes() -> None:
    events = [
        TOLD,
        turn_ended("other"),
        turn_ended("demo", seq=10),
        TraceEvent("demo", TOLD.envelope.model_copy(update={"stream": "operations/s1"})),
        TraceEvent("demo", TOLD.envelope.model_copy(update={"at": TOLD.envelope.at.replace(microsecond=1)})),
    ]
    assert len({event.key("p") for event in events} | {TOLD.key("q")}) == len(events) + 1
    assert received(message()).key("p") == TOLD.key("p")
