"""Pub/Sub for who is in the same process: what there is, looking at messages without taking them, and wiping."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from infra.local.pubsub.backlog import Item, State
from infra.local.pubsub.broker import Broker
from infra.local.pubsub.queue import Queue
from infra.local.pubsub.topics import TopicsApi


@dataclass(frozen=True)
class Standing:
    """How a subscription stands: its raw Subscription, its messages by state, its oldest message, who takes from it."""

    config: Any
    states: dict[State, int]
    oldest: datetime | None
    consumers: int


class Inside:
    """Nothing here leases, acknowledges or bills; publishing is the service's own. Methods raise RpcError."""

    def __init__(self, broker: Broker, topics: TopicsApi) -> None:
        self._broker, self._topics = broker, topics

    def topics(self) -> list[str]:
        """The names of all topics."""
        with self._broker.lock:
            return sorted(self._broker.topics)

    def subscriptions(self) -> list[Standing]:
        """Every subscription, by name."""
        with self._broker.lock:
            return [_standing(queue) for _, queue in sorted(self._broker.queues.items())]

    def peek(self, subscription: str, limit: int) -> list[tuple[Item, Any]]:
        """The oldest messages of a subscription, with their raw PubsubMessage. NOT_FOUND."""
        items = self._broker.queue(subscription).items(limit)
        found = ((item, self._broker.store.message(item.number)) for item in items)
        return [(item, message) for item, message in found if message is not None]

    def publish(self, request: Any) -> str:
        """A raw PublishRequest with one message; its id. INVALID_ARGUMENT, NOT_FOUND."""
        message_id: str = self._topics.publish(request, None).message_ids[0]  # type: ignore[arg-type]
        return message_id

    def wipe(self, topics: Collection[str], subscriptions: Collection[str]) -> int:
        """Forget all messages, and all topics and subscriptions but those named; how many messages there were."""
        with self._broker.lock:
            queues = dict(self._broker.queues)
            for name in queues:
                if name not in subscriptions:
                    self._broker.drop_queue(name)
            gone = sum(map(len, queues.values()))
            for queue in self._broker.queues.values():
                queue.purge()
            for name in set(self._broker.topics) - set(topics):
                self._broker.drop_topic(name)
        return gone


def _standing(queue: Queue) -> Standing:
    first = queue.items(1)
    return Standing(queue.config, dict(queue.states()), first[0].published if first else None, queue.consumers())
