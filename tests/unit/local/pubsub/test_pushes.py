"""Push and in-process delivery on the virtual clock: tokens, statuses, pauses, attempts."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pytest

from infra.local.pubsub.push import ACK_STATUSES
from tests.unit.local.pubsub.world import SUBSCRIPTION, TOPIC, World

URL = "http://127.0.0.1:1/hook"
EMAIL = "push@memex-local.iam.gserviceaccount.com"


def push_to(url: str, **token: str) -> dict[str, Any]:
    config: dict[str, Any] = {"push_endpoint": url}
    if token:
        config["oidc_token"] = token
    return config


def settle(world: World) -> None:
    world.advance(0)


@pytest.mark.parametrize(
    ("token", "wanted"),
    [
        ({}, None),
        ({"service_account_email": EMAIL}, f"Bearer token({EMAIL},{URL})"),
        ({"service_account_email": EMAIL, "audience": "aud"}, f"Bearer token({EMAIL},aud)"),
    ],
)
def test_a_push_bears_an_oidc_token_when_asked_for(world: World, token: dict[str, str], wanted: str | None) -> None:
    world.topic(push_config=push_to(URL, **token), ack_deadline_seconds=33)
    world.publish("a")
    settle(world)
    (request,) = world.pushed
    assert request.headers.get("Authorization") == wanted
    assert (request.url, request.timeout_seconds) == (URL, 33)


@pytest.mark.parametrize("status", sorted(ACK_STATUSES))
def test_these_statuses_acknowledge_a_push(world: World, status: int) -> None:
    world.topic(push_config=push_to(URL))
    world.statuses = [status]
    world.publish("a")
    world.advance(3600)
    assert len(world.pushed) == 1


@pytest.mark.parametrize("status", [0, 100, 203, 301, 400, 404, 429, 500, 503])
def test_these_answers_refuse_a_push(world: World, status: int) -> None:
    world.topic(push_config=push_to(URL))
    world.statuses = [status, 200]
    world.publish("a")
    world.advance(3600)
    assert len(world.pushed) == 2


def test_refusals_pause_the_subscription_longer_each_time(world: World) -> None:
    world.topic(push_config=push_to(URL))
    world.statuses = [500]
    moments: list[datetime] = []
    record(world, moments)
    world.publish("a")
    world.advance(600)
    pauses = [(b - a).total_seconds() for a, b in zip(moments, moments[1:], strict=False)]
    assert pauses[:4] == pytest.approx([0.1, 0.2, 0.4, 0.8], abs=0.01)
    assert max(pauses) == pytest.approx(60, abs=0.01)


def test_an_acknowledged_push_ends_the_pauses(world: World) -> None:
    world.topic(push_config=push_to(URL))
    world.statuses = [500, 500, 500, 200, 500, 200]
    moments: list[datetime] = []
    record(world, moments)
    world.publish("a")
    world.advance(10)
    world.publish("b")
    world.advance(10)
    assert (moments[5] - moments[4]).total_seconds() == pytest.approx(0.1, abs=0.01)


def test_a_retry_policy_spaces_pushes_out_by_message(world: World) -> None:
    world.topic(push_config=push_to(URL), retry_policy={"minimum_backoff": timedelta(seconds=10)})
    world.statuses = [500, 200]
    moments: list[datetime] = []
    record(world, moments)
    world.publish("bad")
    settle(world)
    world.publish("good")
    world.advance(60)
    bodies = [json.loads(request.body)["message"]["data"] for request in world.pushed]
    assert len(bodies) == 3 and bodies[0] == bodies[2] != bodies[1]
    assert (moments[2] - moments[0]).total_seconds() == pytest.approx(10, abs=0.01)


def test_a_push_says_which_attempt_it_is_only_with_a_dead_letter_policy(world: World) -> None:
    world.part.ensure_topic(graves := "projects/memex-local/topics/graves")
    world.topic(push_config=push_to(URL), dead_letter_policy={"dead_letter_topic": graves})
    world.statuses = [500]
    world.publish("poison")
    world.advance(600)
    assert [json.loads(request.body)["deliveryAttempt"] for request in world.pushed] == [1, 2, 3, 4, 5]
    assert world.part.backlog()[SUBSCRIPTION] == 0


def test_turning_to_pull_stops_the_pushes(world: World) -> None:
    world.topic(push_config=push_to(URL))
    world.subscriber.modify_push_config(subscription=SUBSCRIPTION, push_config={})
    world.publish("a")
    world.advance(60)
    assert world.pushed == []


def test_subscribe_delivers_in_process_until_it_is_acknowledged(world: World) -> None:
    world.part.ensure_topic(TOPIC)
    seen: list[tuple[bytes, int]] = []

    def handle(message: Any, attempt: int) -> bool:
        seen.append((message.data, attempt))
        return attempt == 3

    world.part.subscribe("projects/memex-local/subscriptions/eventarc-fanout", TOPIC, handle)
    world.part.publish(TOPIC, b"event", type="created")
    world.advance(60)
    assert seen == [(b"event", 1), (b"event", 2), (b"event", 3)]
    assert world.part.backlog() == {"projects/memex-local/subscriptions/eventarc-fanout": 0}


def test_ensuring_a_subscription_again_moves_its_endpoint(world: World) -> None:
    world.part.ensure_topic(TOPIC)
    for port in (1, 2):
        settings = {
            "push_config": push_to(f"http://127.0.0.1:{port}/"),
            "retry_policy": {"minimum_backoff": {"seconds": 3}},
        }
        world.part.ensure_subscription(SUBSCRIPTION, TOPIC, **settings)
    world.publish("a")
    settle(world)
    assert [request.url for request in world.pushed] == ["http://127.0.0.1:2/"]


def test_an_update_leaves_in_process_delivery_in_place(world: World) -> None:
    world.topic()
    seen: list[bytes] = []
    world.part.subscribe(SUBSCRIPTION, TOPIC, lambda message, _attempt: bool(seen.append(message.data) or True))
    update = {"subscription": {"name": SUBSCRIPTION, "labels": {"a": "b"}}, "update_mask": {"paths": ["labels"]}}
    world.subscriber.update_subscription(request=update)
    world.publish("a")
    settle(world)
    assert seen == [b"a"]


def record(world: World, moments: list[datetime]) -> None:
    """Note when each push happens."""
    push = world.part._push

    def noted(request: Any) -> int:
        moments.append(world.clock.now())
        return push(request)

    world.part._push = noted
