"""Pub/Sub of the local cloud: the part that others start, close and reach over gRPC."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import grpc
from google.pubsub_v1 import types

from infra.local.clock import Clock
from infra.local.meter import Meter
from infra.local.pubsub.broker import Broker
from infra.local.pubsub.consumer import Delivery
from infra.local.pubsub.inside import Inside
from infra.local.pubsub.names import check_name
from infra.local.pubsub.pulls import PullsApi
from infra.local.pubsub.push import ACK_STATUSES, Handle, Push, Pusher, PushFailed, Tokens, push_over_http, push_request
from infra.local.pubsub.queue import Queue
from infra.local.pubsub.sizes import bill
from infra.local.pubsub.subscriptions import SubscriptionsApi
from infra.local.pubsub.topics import TopicsApi
from infra.local.rpc import service_handler

log = logging.getLogger(__name__)

_REFUSED = ("Seek", "CreateSnapshot", "GetSnapshot", "ListSnapshots", "UpdateSnapshot", "DeleteSnapshot")
_REFUSED_SCHEMA_METHODS = (
    "CreateSchema",
    "GetSchema",
    "ListSchemas",
    "ListSchemaRevisions",
    "CommitSchema",
    "RollbackSchema",
    "DeleteSchemaRevision",
    "DeleteSchema",
    "ValidateSchema",
    "ValidateMessage",
)


class PubSubPart:
    """google.pubsub.v1 on SQLite in `data_dir`; `push` sends the requests of push subscriptions."""

    def __init__(self, data_dir: Path, clock: Clock, meter: Meter, tokens: Tokens, push: Push | None = None) -> None:
        self._clock, self._meter, self._tokens = clock, meter, tokens
        self._push = push or push_over_http
        self._broker = Broker(data_dir / "pubsub.sqlite", clock, meter)
        self._topics = TopicsApi(self._broker)
        self._subscriptions = SubscriptionsApi(self._broker, self._connect)
        self._pulls = PullsApi(self._broker, meter)
        self._pushers: dict[str, Pusher] = {}
        self._handled: set[str] = set()  # subscriptions that are delivered in this process
        self._closed = False

    def handlers(self) -> list[grpc.GenericRpcHandler]:
        """Publisher, Subscriber, and a SchemaService that refuses by name."""
        subscriber = {**self._subscriptions.methods(), **self._pulls.methods()}
        return [
            self._topics.handler(),
            service_handler("google.pubsub.v1.Subscriber", subscriber, _REFUSED),
            service_handler("google.pubsub.v1.SchemaService", {}, _REFUSED_SCHEMA_METHODS),
        ]

    def start(self) -> None:
        """Go on pushing what was not acknowledged."""
        for queue in list(self._broker.queues.values()):
            self._connect(queue)

    def close(self) -> None:
        """End all streams and pulls at once, with UNAVAILABLE. Idempotent."""
        if not self._closed:
            self._closed = True
            self._broker.close()

    def ensure_topic(self, name: str) -> None:
        """Create the topic projects/P/topics/T when it is missing."""
        with self._broker.lock:
            if check_name(name, "topics") not in self._broker.topics:
                self._broker.put_topic(types.Topic.pb()(name=name))

    def ensure_subscription(self, name: str, topic: str, **settings: Any) -> None:
        """Create projects/P/subscriptions/S, or give it these `settings` (fields of Subscription)."""
        self._subscriptions.ensure(types.Subscription.pb()(name=name, topic=topic, **settings))

    def subscribe(self, name: str, topic: str, handle: Callable[[Any, int], bool], **settings: Any) -> None:
        """Deliver the subscription's messages in this process, durably: `handle(message, attempt)` says whether to ack.

        Makes the subscription when it is missing. `handle` runs on a clock worker with a raw PubsubMessage; False is
        a nack, an exception is logged and becomes one at the ack deadline. Call it again after each start: what was
        not acknowledged is delivered again.
        """
        self.ensure_subscription(name, topic, **settings)

        def handle_one(message: Any, delivery: Delivery) -> bool:
            bill(self._meter, "delivery_bytes", [message])
            return handle(message, delivery.attempt)

        with self._broker.lock:
            self._handled.add(name)
            self._attach(self._broker.queue(name), handle_one)

    def publish(self, topic: str, data: bytes, **attributes: str) -> str:
        """Publish one message from inside the process; its id."""
        message = types.PubsubMessage.pb()(data=data, attributes=attributes)
        return self._broker.publish(topic, [message])[0]

    @property
    def inside(self) -> Inside:
        """The service for whoever is in this process."""
        return Inside(self._broker, self._topics)

    def wipe(self, topics: Collection[str]) -> int:
        """Forget all messages, all topics but these, all subscriptions but those delivered in this process."""
        return self.inside.wipe(topics, frozenset(self._handled))

    def backlog(self) -> dict[str, int]:
        """How many messages each subscription has not got rid of yet."""
        with self._broker.lock:
            return {name: len(queue) for name, queue in sorted(self._broker.queues.items())}

    def _connect(self, queue: Queue) -> None:
        name = queue.config.name
        if name in self._handled:
            return
        if queue.config.push_config.push_endpoint:
            self._attach(queue, lambda message, delivery: self._post(queue, message, delivery))
        elif name in self._pushers:
            queue.detach(self._pushers.pop(name))

    def _attach(self, queue: Queue, handle: Handle) -> None:
        earlier = self._pushers.pop(queue.config.name, None)
        if earlier:
            queue.detach(earlier)
        pusher = Pusher(queue, self._clock, self._broker.store.message, handle)
        self._pushers[queue.config.name] = pusher
        queue.attach(pusher)

    def _post(self, queue: Queue, message: Any, delivery: Delivery) -> bool:
        bill(self._meter, "delivery_bytes", [message])
        try:
            status = self._push(push_request(queue.config, message, delivery, self._tokens))
        except PushFailed as error:
            log.info("push of %s failed: %s", queue.config.name, error)
            return False
        return status in ACK_STATUSES
