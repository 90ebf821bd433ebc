"""Webhooks of the emulated platform: whom they tell, how they are signed, how often they come."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import jwt
import pytest
from flask import Flask
from flask.testing import FlaskClient
from google.genai import _interactions_errors as interaction_errors

from infra.local.aiplatform.script import Script
from infra.local.aiplatform.service import AiPlatformPart
from infra.local.aiplatform.webhooks.ports import Outside
from infra.local.clock import VirtualClock
from infra.local.faults import EventFault
from infra.local.meter import Meter
from tests.unit.local.aiplatform.platform_server import Platform, advance, request_body

HERE, ELSEWHERE = "https://memex.example/webhook", "https://other.example/hook"
KEY = {"x-goog-api-key": "k"}


@dataclass
class Received:
    address: str
    headers: Mapping[str, str]
    body: bytes
    at: float

    @property
    def event(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found


@dataclass
class World:
    """A platform on a virtual clock, and whoever receives its webhooks; `answers` are statuses, the last repeats."""

    data_dir: Path
    answers: list[int] = field(default_factory=lambda: [204])
    received: list[Received] = field(default_factory=list)
    fault: Callable[[], EventFault] = EventFault

    def __post_init__(self) -> None:
        self.clock = VirtualClock()
        self.begun = self.clock.now()
        self.open()

    def open(self) -> None:
        outside = Outside(self._post, fault=lambda: self.fault())
        self.part = AiPlatformPart(self.data_dir, self.clock, Meter(), 60.0, outside=outside)
        app = Flask(__name__)
        app.register_blueprint(self.part.blueprint())
        self.http: FlaskClient = app.test_client()
        self.part.start()

    def _post(self, address: str, headers: Mapping[str, str], body: bytes) -> int:
        self.received.append(Received(address, dict(headers), body, (self.clock.now() - self.begun).total_seconds()))
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def begin(self, script: Script | None = None, uris: tuple[str, ...] = (HERE,), **config: Any) -> str:
        """A run that tells of its end; its id."""
        self.part.script_interaction(script or Script(run_seconds=60.0))
        body = request_body(stream=False, webhook_config={"uris": list(uris), **config})
        answer = self.http.post("/v1/interactions", json=body, headers=KEY)
        assert answer.status_code == 200, answer.text
        assert answer.json is not None
        return str(answer.json["id"])

    def register(self, *events: str, uri: str = ELSEWHERE) -> dict[str, Any]:
        answer = self.http.post("/v1/webhooks", json={"uri": uri, "subscribed_events": list(events)}, headers=KEY)
        assert answer.status_code == 200, answer.text
        return dict(answer.json or {})

    def pass_time(self, seconds: float) -> None:
        advance(self.clock, seconds)
        self.clock.run_until(lambda: True, limit=timedelta(seconds=1))

    def close(self) -> None:
        self.part.close()
        self.clock.close()


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    made.close()


def test_who_is_named_by_a_run_is_told_of_its_end_when_it_ends(world: World) -> None:
    run = world.begin()
    world.pass_time(59)
    assert world.received == []
    world.pass_time(2)
    [told] = world.received
    assert told.address == HERE and told.at == pytest.approx(60.0, abs=0.5)
    assert told.event["type"] == "interaction.completed" and told.event["data"] == {"id": run}
    assert told.event["version"] == "v1" and told.headers["webhook-id"].startswith("msg_")


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        ("failed", "interaction.failed"),
        ("incomplete", "interaction.failed"),
        ("cancelled", "interaction.cancelled"),
        ("requires_action", "interaction.requires_action"),
    ],
)
def test_each_end_has_its_event(world: World, status: str, kind: str) -> None:
    world.begin(Script(statuses=((0, "in_progress"), (30, status)), run_seconds=30.0))
    world.pass_time(40)
    assert [told.event["type"] for told in world.received] == [kind]
    assert ("error_code" in world.received[0].event["data"]) is (kind == "interaction.failed")


def test_a_cancel_is_told_too(world: World) -> None:
    run = world.begin()
    world.pass_time(10)
    world.http.post(f"/v1/interactions/{run}/cancel", headers=KEY)
    world.pass_time(1)
    assert [told.event["type"] for told in world.received] == ["interaction.cancelled"]


def test_a_run_signs_with_the_key_that_the_service_shows(world: World) -> None:
    run = world.begin(user_metadata={"job": "nightly"})
    world.pass_time(61)
    [told] = world.received
    token = told.headers["webhook-signature"]
    keys = (world.http.get("/.well-known/jwks.json").json or {})["keys"]
    [key] = [one for one in keys if one["kid"] == jwt.get_unverified_header(token)["kid"]]
    options: Any = {"verify_exp": False, "verify_iat": False}
    claims = jwt.decode(token, jwt.PyJWK(key), algorithms=["RS256"], audience=HERE, options=options)
    assert claims["data"] == {"id": run} and claims["user_metadata"] == {"job": "nightly"}
    assert claims["iat"] == int(told.headers["webhook-timestamp"]) and claims["exp"] > claims["iat"]


def macs(told: Received, *secrets: str) -> list[str]:
    content = f"{told.headers['webhook-id']}.{told.headers['webhook-timestamp']}.".encode() + told.body
    keys = [base64.b64decode(secret.removeprefix("whsec_")) for secret in secrets]
    return [f"v1,{base64.b64encode(hmac.digest(key, content, hashlib.sha256)).decode()}" for key in keys]


def test_a_hook_of_the_project_hears_what_it_asked_for_signed_with_its_secret(world: World) -> None:
    secret = world.register("interaction.completed")["new_signing_secret"]
    world.register("interaction.failed", uri=HERE)
    world.begin(uris=())
    world.pass_time(61)
    [told] = world.received
    assert told.address == ELSEWHERE
    assert told.headers["webhook-signature"].split(" ") == macs(told, secret)


def test_while_a_secret_is_changed_both_sign_for_a_day(world: World) -> None:
    hook = world.register("interaction.completed")
    rotated = world.http.post(f"/v1/webhooks/{hook['id']}:rotateSigningSecret", json={}, headers=KEY).json or {}
    world.begin(uris=())
    world.pass_time(61)
    both = macs(world.received[-1], hook["new_signing_secret"], rotated["secret"])
    assert world.received[-1].headers["webhook-signature"].split(" ") == both
    world.pass_time(86_400)
    world.begin(uris=())
    world.pass_time(61)
    assert world.received[-1].headers["webhook-signature"].split(" ") == macs(world.received[-1], rotated["secret"])


def test_what_is_not_taken_is_sent_again_with_the_same_id_and_a_new_time(world: World) -> None:
    world.answers = [500, 0, 429, 204]
    world.begin()
    world.pass_time(200)
    assert [round(told.at) for told in world.received] == [60, 65, 75, 95]
    assert len({told.headers["webhook-id"] for told in world.received}) == 1
    assert len({told.headers["webhook-timestamp"] for told in world.received}) == 4


def test_it_is_given_up_after_a_day(world: World) -> None:
    world.answers = [503]
    world.begin()
    world.pass_time(90_000)
    assert world.received[-1].at < 86_460
    assert [each["state"] for each in world.part.webhooks.deliveries()] == ["given up"]


def test_what_was_on_its_way_is_sent_after_a_restart(world: World) -> None:
    world.answers = [503, 204]
    world.begin()
    world.pass_time(61)
    world.part.close()
    world.open()
    world.pass_time(60)
    assert [round(told.at) for told in world.received] == [60, 65]


def test_faults_lose_delay_and_double_it(world: World) -> None:
    faults = [EventFault(drop=True), EventFault(delay_seconds=30), EventFault(copies=2)]
    world.fault = lambda: faults.pop(0)
    for _ in range(3):
        world.begin()
        world.pass_time(200)
    assert [each["state"] for each in world.part.webhooks.deliveries()] == ["lost", "delivered", "delivered"]
    assert len({told.headers["webhook-id"] for told in world.received}) == 2 and len(world.received) == 4


def test_a_hook_that_is_switched_off_or_gone_hears_nothing(world: World) -> None:
    off, gone = world.register("interaction.completed"), world.register("interaction.completed")
    world.http.patch(f"/v1/webhooks/{off['id']}", json={"state": "disabled"}, headers=KEY)
    assert world.http.delete(f"/v1/webhooks/{gone['id']}", headers=KEY).json == {}
    world.begin(uris=())
    world.pass_time(61)
    assert world.received == []
    assert [one["id"] for one in (world.http.get("/v1/webhooks", headers=KEY).json or {})["webhooks"]] == [off["id"]]


@pytest.mark.parametrize(
    "config",
    [
        {"uris": "https://memex.example"},
        {"uris": ["http://memex.example"]},
        {"uris": ["ftp://127.0.0.1"]},
        {"uris": [HERE], "else": 1},
        [],
    ],
)
def test_addresses_that_are_none_are_refused(world: World, config: Any) -> None:
    answer = world.http.post("/v1/interactions", json=request_body(webhook_config=config), headers=KEY)
    assert answer.status_code == 400


def test_vertex_has_no_webhooks(world: World) -> None:
    body, path = request_body(webhook_config={"uris": [HERE]}), "/v1beta1/projects/p/locations/global"
    assert world.http.post(f"{path}/interactions", json=body, headers=KEY).status_code == 400
    assert world.http.get(f"{path}/webhooks", headers=KEY).status_code == 404


def test_googles_own_client_understands_the_api(platform: Platform) -> None:
    with platform.client() as opened:
        client: Any = opened
        made = client.webhooks.create(name="mine", uri=HERE, subscribed_events=["interaction.completed"])
        assert made.id and made.new_signing_secret and made.state == "enabled"
        assert [one.name for one in client.webhooks.list().webhooks] == ["mine"]
        changed = client.webhooks.update(made.id, name="ours", state="disabled")
        assert (changed.name, changed.state, changed.new_signing_secret) == ("ours", "disabled", None)
        client.webhooks.update(made.id, state="enabled", uri="http://127.0.0.1:9/nobody")
        client.webhooks.ping(made.id)
        rotated = client.webhooks.rotate_signing_secret(
            made.id, revocation_behavior="revoke_previous_secrets_immediately"
        )
        assert rotated.secret.startswith("whsec_")
        [secret] = client.webhooks.get(made.id).signing_secrets
        assert rotated.secret.endswith(secret.truncated_secret.strip("."))
        client.webhooks.delete(made.id)
        with pytest.raises(interaction_errors.NotFoundError):
            client.webhooks.get(made.id)
