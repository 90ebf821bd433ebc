"""Topics and subscriptions as a person sees them."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from tests.unit.local.console.conftest import Desk

TOPIC, SUBSCRIPTION = "projects/memex-local/topics/things", "projects/memex-local/subscriptions/mine"


def publish(desk: Desk, **content: Any) -> Any:
    answer = desk.send("POST", "publish", {"topic": TOPIC, **content})
    assert answer.status_code == 201, answer.text
    return answer.json()["message_id"]


def test_backlog_oldest_age_and_settings_of_a_subscription_are_shown(desk: Desk) -> None:
    desk.cloud.services.pubsub.ensure_subscription(SUBSCRIPTION, TOPIC, filter='attributes.kind = "a"')
    publish(desk, data="one", attributes={"kind": "a"})
    publish(desk, data="two", attributes={"kind": "b"})
    report = desk.get("topics")
    (mine,) = report["subscriptions"]
    assert report["backlog"] == {SUBSCRIPTION: 1}
    assert (mine["topic"], mine["backlog"], mine["states"]) == (TOPIC, 1, {"ready": 1})
    assert 0 <= mine["oldest_age_seconds"] < 60
    assert mine["filter"] == 'attributes.kind = "a"'
    assert report["topics"] == [{"name": TOPIC, "subscriptions": [SUBSCRIPTION]}]


def test_looking_at_messages_takes_none_away(desk: Desk) -> None:
    desk.cloud.services.pubsub.ensure_subscription(SUBSCRIPTION, TOPIC)
    first = publish(desk, data="héllo", attributes={"kind": "greeting"})
    publish(desk, data_base64=base64.b64encode(b"\xff\xfe").decode())
    for _ in range(2):
        one, other = desk.get("messages", subscription=SUBSCRIPTION)["messages"]
        assert (one["id"], one["data"], one["attributes"]) == (first, "héllo", {"kind": "greeting"})
        assert (other["data_base64"], other["state"], other["failed_attempts"]) == ("//4=", "ready", 0)
    assert len(desk.get("messages", subscription=SUBSCRIPTION, limit=1)["messages"]) == 1
    assert desk.get("topics")["backlog"] == {SUBSCRIPTION: 2}


@pytest.mark.parametrize(
    ("content", "status", "words"),
    [
        ({"topic": "projects/memex-local/topics/absent", "data": "x"}, 404, "absent"),
        ({"topic": TOPIC}, 400, "empty"),
        ({"topic": TOPIC, "data": "x", "attributes": {"googlething": "x"}}, 400, "reserved"),
        ({"topic": TOPIC, "data": "x", "attributes": {"a": 1}}, 400, "text"),
        ({"topic": TOPIC, "data_base64": "%"}, 400, "base64"),
        ({"data": "x"}, 400, "topic"),
        ({"topic": TOPIC, "data": 7}, 400, "data"),
    ],
)
def test_what_production_would_not_publish_is_refused(shared: Desk, content: Any, status: int, words: str) -> None:
    answer = shared.send("POST", "publish", content)
    assert answer.status_code == status
    assert words in answer.json()["error"]["message"]


def test_messages_of_no_subscription_are_404(shared: Desk) -> None:
    assert shared.http.get("/_cloud/messages", params={"subscription": "absent"}).status_code == 404
