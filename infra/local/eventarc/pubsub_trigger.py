"""Pub/Sub triggers: messages of a topic as messagePublished CloudEvents to a function."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any, Protocol

from infra.local.eventarc.lane import Deliver, DeliveryRequest, NotDelivered
from shared.contracts.manifest import FunctionRow, PubSubTrigger

log = logging.getLogger(__name__)
EVENT_TYPE = "google.cloud.pubsub.topic.v1.messagePublished"
ACK_DEADLINE_SECONDS = 600
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 10, 600


class Subscribing(Protocol):
    """What is needed of the Pub/Sub part: durable delivery of a subscription in this process."""

    def subscribe(self, name: str, topic: str, handle: Callable[[Any, int], bool], **settings: Any) -> None: ...


def subscribe(pubsub: Subscribing, project: str, row: FunctionRow, deliver: Deliver) -> None:
    """Deliver the topic of the row's trigger to its function; as in production through a subscription of its own."""
    trigger = row.trigger
    if not isinstance(trigger, PubSubTrigger):
        raise ValueError(f"{row.name} has no Pub/Sub trigger")
    topic = f"projects/{project}/topics/{trigger.topic}"
    subscription = f"projects/{project}/subscriptions/eventarc-{row.name}"

    def handle(message: Any, attempt: int) -> bool:
        request = _request(row.name, topic, subscription, message, attempt)
        try:
            delivered = 200 <= deliver(request) < 300
        except NotDelivered as error:
            log.info("message %s for %s was not delivered: %s", message.message_id, row.name, error)
            delivered = False
        return delivered or not trigger.retry

    pubsub.subscribe(
        subscription,
        topic,
        handle,
        ack_deadline_seconds=ACK_DEADLINE_SECONDS,
        retry_policy={
            "minimum_backoff": {"seconds": FIRST_PAUSE_SECONDS},
            "maximum_backoff": {"seconds": LONGEST_PAUSE_SECONDS},
        },
    )


def _request(function: str, topic: str, subscription: str, message: Any, attempt: int) -> DeliveryRequest:
    from infra.local.pubsub.push import message_json

    body = {"message": message_json(message), "subscription": subscription}
    headers = {
        "ce-specversion": "1.0",
        "ce-id": message.message_id,
        "ce-type": EVENT_TYPE,
        "ce-time": message.publish_time.ToJsonString(),
        "ce-source": f"//pubsub.googleapis.com/{topic}",
        "content-type": "application/json",
    }
    return DeliveryRequest(function, headers, json.dumps(body).encode(), attempt)
