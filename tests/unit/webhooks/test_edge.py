"""The public function as a stranger sees it."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from flask import Flask, request
from flask.testing import FlaskClient
from functions_framework import read_request

from shared.errors import Transient, Unauthorized
from shared.webhook_edge import BODY_BYTES, respond
from shared.webhooks.delivery import Delivery
from shared.webhooks.service import Webhooks
from tests.unit.webhooks.signing import body


class Told:
    """Takes every signature but "bad", and remembers what it was told."""

    def __init__(self) -> None:
        self.told_of: list[tuple[str, str]] = []
        self.error: Exception | None = None

    def check(self, delivery: Delivery) -> tuple[str, ...]:
        if delivery.signature == "bad":
            raise Unauthorized("no")
        return (delivery.id,)

    def told(self, names: tuple[str, ...], interaction_id: str) -> None:
        self.told_of.append((names[0], interaction_id))
        if self.error is not None:
            raise self.error


Ask = Callable[..., tuple[int, str]]


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def client(told: Told) -> FlaskClient:
    app = Flask(__name__)
    webhooks = Webhooks(told, told)  # type: ignore[arg-type]  # both halves in one
    methods = ["GET", "POST", "PUT"]
    app.after_request(read_request)  # as the framework does with every function
    app.add_url_rule("/<path:_p>", view_func=lambda _p: respond(request, lambda: webhooks), methods=methods)
    return app.test_client()


@pytest.fixture
def ask(client: FlaskClient) -> Ask:
    def send(content: bytes, signature: str = "good", method: str = "POST") -> tuple[int, str]:
        headers = {"webhook-id": "msg_1", "webhook-timestamp": "1", "webhook-signature": signature}
        answer = client.open("/webhook", method=method, data=content, headers=headers)
        return answer.status_code, answer.get_data(as_text=True)

    return send


def test_what_is_the_services_is_taken_without_a_word(ask: Ask, told: Told) -> None:
    assert ask(body("v1_run1")) == (204, "")
    assert told.told_of == [("msg_1", "v1_run1")]


def test_events_about_other_things_are_taken_and_do_nothing(ask: Ask, told: Told) -> None:
    assert ask(body("batch_1", "batch.succeeded")) == (204, "")
    assert ask(json.dumps({"type": "ping"}).encode()) == (204, "")
    assert told.told_of == []


@pytest.mark.parametrize("kind", ["interaction.completed", "interaction.failed", "interaction.of_a_later_version"])
def test_whatever_happened_to_an_interaction_it_is_looked_at(ask: Ask, told: Told, kind: str) -> None:
    assert ask(body("v1_run1", kind))[0] == 204
    assert told.told_of == [("msg_1", "v1_run1")]


def test_a_forged_one_is_refused_before_its_body_is_read(ask: Ask, told: Told) -> None:
    assert ask(b"{", "bad")[0] == 401
    assert told.told_of == []


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff",
        b"{" * 2_000,
        b'{"type": 7}',
        b'{"type": "interaction.completed"}',
        b'{"type": "interaction.completed", "data": {"id": ""}}',
        b'{"type": "interaction.completed", "data": {"id": 7}}',
        b'{"type": "interaction.completed", "data": {"id": "\\ud800"}}',
        json.dumps({"type": "interaction.completed", "data": {"id": "x" * 2_000}}).encode(),
    ],
)
def test_what_is_no_event_is_refused(ask: Ask, told: Told, content: bytes) -> None:
    assert ask(content)[0] == 400
    assert told.told_of == []


def test_a_body_that_is_too_long_is_refused(ask: Ask, told: Told) -> None:
    assert ask(body("v1_run1", more="x" * BODY_BYTES))[0] == 413
    assert told.told_of == []


@pytest.mark.parametrize("method", ["GET", "PUT"])
def test_other_methods_are_refused(ask: Ask, method: str) -> None:
    assert ask(body(), method=method)[0] == 404


def test_what_had_better_come_again_is_told_so(client: FlaskClient, told: Told) -> None:
    told.error = Transient("not now", retry_after_seconds=10)
    answer = client.post("/webhook", data=body(), headers={"webhook-signature": "good"})
    assert answer.status_code == 503 and answer.headers["Retry-After"] == "10"


def test_what_nobody_foresaw_is_answered_without_a_word_about_it(ask: Ask, told: Told) -> None:
    told.error = RuntimeError("a secret")
    status, text = ask(body())
    assert status == 500 and "secret" not in text
