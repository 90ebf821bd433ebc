"""Topics, subscriptions and their backlogs; publishing by hand, and looking at messages without taking them."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from flask import Blueprint, Response, request
from google.pubsub_v1.types import PublishRequest

from infra.local.clock import Clock
from infra.local.console.answers import Refusal, body, number, say, stamp, wanted
from infra.local.pubsub.backlog import Item, State
from infra.local.pubsub.inside import Inside, Standing

PEEKED, MOST_PEEKED = 20, 200
SHOWN_BYTES = 20_000
STATES = {state: state.name.lower() for state in State}


class Messages:
    """The addresses of Pub/Sub."""

    def __init__(self, inside: Inside, clock: Clock) -> None:
        self._inside, self._clock = inside, clock

    def register(self, pages: Blueprint) -> None:
        """GET /_cloud/topics and /_cloud/messages, POST /_cloud/publish."""
        pages.add_url_rule("/topics", "topics", lambda: say(self.report()), methods=["GET"])
        pages.add_url_rule("/messages", "messages", self.peek, methods=["GET"])
        pages.add_url_rule("/publish", "publish", self.publish, methods=["POST"])

    def report(self) -> dict[str, Any]:
        """Topics, subscriptions, and "backlog": unacknowledged messages by subscription."""
        standings = self._inside.subscriptions()
        heard: dict[str, list[str]] = {name: [] for name in self._inside.topics()}
        for each in standings:
            heard.setdefault(each.config.topic, []).append(each.config.name)
        return {
            "backlog": {each.config.name: sum(each.states.values()) for each in standings},
            "topics": [{"name": name, "subscriptions": found} for name, found in heard.items()],
            "subscriptions": [self._subscription(each) for each in standings],
        }

    def peek(self) -> Response:
        """The oldest messages of ?subscription=, which stay where they are."""
        found = self._inside.peek(request.args.get("subscription", ""), number("limit", PEEKED, MOST_PEEKED))
        return say({"messages": [_message(item, message) for item, message in found]})

    def publish(self) -> Response:
        """{"topic", "data" or "data_base64", "attributes", "ordering_key"}; its message_id."""
        content = body()
        message = {
            "data": _data(content),
            "attributes": _attributes(content),
            "ordering_key": wanted(content, "ordering_key", str, ""),
        }
        wish = PublishRequest.pb()(topic=wanted(content, "topic", str), messages=[message])
        return say({"message_id": self._inside.publish(wish)}, 201)

    def _subscription(self, standing: Standing) -> dict[str, Any]:
        config, oldest = standing.config, standing.oldest
        age = None if oldest is None else round((self._clock.now() - oldest).total_seconds(), 1)
        return {
            "name": config.name,
            "topic": config.topic,
            "backlog": sum(standing.states.values()),
            "states": {STATES[state]: count for state, count in standing.states.items()},
            "oldest_published_at": stamp(oldest),
            "oldest_age_seconds": age,
            "consumers": standing.consumers,
            "push_endpoint": config.push_config.push_endpoint,
            "filter": config.filter,
            "ordered": config.enable_message_ordering,
            "ack_deadline_seconds": config.ack_deadline_seconds,
            "dead_letter_topic": config.dead_letter_policy.dead_letter_topic,
        }


def _message(item: Item, message: Any) -> dict[str, Any]:
    data = message.data[:SHOWN_BYTES]
    try:
        shown = {"data": data.decode()}
    except UnicodeDecodeError:
        shown = {"data_base64": base64.b64encode(data).decode()}
    return {
        "id": message.message_id,
        "state": STATES[item.state],
        "failed_attempts": item.failures,
        "due_at": stamp(item.due),
        "published_at": stamp(item.published),
        "attributes": dict(message.attributes),
        "ordering_key": message.ordering_key,
        "bytes": len(message.data),
        **shown,
    }


def _data(content: dict[str, Any]) -> bytes:
    if "data_base64" not in content:
        return wanted(content, "data", str, "").encode(errors="replace")
    try:
        return base64.b64decode(wanted(content, "data_base64", str), validate=True)
    except (binascii.Error, ValueError) as error:
        raise Refusal(400, "data_base64 is not base64.", "data_base64") from error


def _attributes(content: dict[str, Any]) -> dict[str, str]:
    attributes: dict[str, Any] = wanted(content, "attributes", dict, {})
    if not all(isinstance(value, str) for value in attributes.values()):
        raise Refusal(400, "The values of attributes are text.", "attributes")
    return attributes
