"""The unmodified clients of google-cloud-pubsub, and shorthands for what tests do with them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from google.cloud import pubsub_v1
from google.cloud.pubsub_v1.types import PublisherOptions
from google.pubsub_v1.types import ReceivedMessage

from tests.contract.differences import BY_ID

PATIENCE_SECONDS = 20


class Cloud:
    """A publisher and a subscriber on one project."""

    def __init__(self, project: str, official: bool) -> None:
        self.project, self.official = project, official
        self.publisher = pubsub_v1.PublisherClient(publisher_options=PublisherOptions(enable_message_ordering=True))
        self.subscriber = pubsub_v1.SubscriberClient()

    def differs(self, difference: str) -> None:
        """Skip the rest on Google's emulator, which has this listed difference."""
        listed = BY_ID[difference]
        if self.official:
            pytest.skip(f"{listed.id}: Google's emulator {listed.emulator}")

    def topic_path(self, name: str) -> str:
        return f"projects/{self.project}/topics/{name}"

    def subscription_path(self, name: str) -> str:
        return f"projects/{self.project}/subscriptions/{name}"

    def topic(self, name: str = "topic") -> str:
        """A new topic."""
        return str(self.publisher.create_topic(name=self.topic_path(name)).name)

    def subscription(self, topic: str, name: str = "subscription", **settings: Any) -> str:
        """A new subscription."""
        request = {"name": self.subscription_path(name), "topic": topic, **settings}
        return str(self.subscriber.create_subscription(request=request).name)

    def publish(self, topic: str, *texts: str, key: str = "", **attributes: str) -> list[str]:
        """Publish texts one after the other; their ids."""
        return [
            self.publisher.publish(topic, text.encode(), ordering_key=key, **attributes).result(PATIENCE_SECONDS)
            for text in texts
        ]

    def pull(self, subscription: str, count: int = 1, limit: int = 100) -> list[ReceivedMessage]:
        """Pull until there are `count` messages at least."""
        received: list[ReceivedMessage] = []
        deadline = time.monotonic() + PATIENCE_SECONDS
        while len(received) < count:
            left = deadline - time.monotonic()
            assert left > 0, f"{len(received)} of {count} messages arrived"
            answer = self.subscriber.pull(subscription=subscription, max_messages=limit, timeout=left, retry=None)
            received.extend(answer.received_messages)
        return received

    def nothing(self, subscription: str) -> bool:
        """Whether there is nothing to pull at this moment."""
        request = {"subscription": subscription, "max_messages": 10, "return_immediately": True}
        return not self.subscriber.pull(request=request).received_messages

    def ack(self, subscription: str, received: list[ReceivedMessage]) -> None:
        self.subscriber.acknowledge(subscription=subscription, ack_ids=[each.ack_id for each in received])

    def nack(self, subscription: str, received: list[ReceivedMessage], seconds: int = 0) -> None:
        ack_ids = [each.ack_id for each in received]
        self.subscriber.modify_ack_deadline(subscription=subscription, ack_ids=ack_ids, ack_deadline_seconds=seconds)

    def close(self) -> None:
        self.publisher.stop()
        self.publisher.transport.close()
        self.subscriber.close()


def texts(received: list[ReceivedMessage]) -> list[str]:
    return [each.message.data.decode() for each in received]


def eventually(condition: Callable[[], bool]) -> None:
    """Wait until it holds; fail when it does not in time."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.01)
