"""Topics and the queues behind them: publish fans out, and what is answered is on disk."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from pathlib import Path
from sqlite3 import Connection
from typing import Any

import grpc
from google.protobuf.timestamp_pb2 import Timestamp

from infra.local.clock import Clock, Task
from infra.local.meter import Meter
from infra.local.pubsub.names import not_found
from infra.local.pubsub.queue import Queue, Shared
from infra.local.pubsub.sizes import bill
from infra.local.pubsub.store import Store
from infra.local.rpc import RpcError

_CLOSING = RpcError(grpc.StatusCode.UNAVAILABLE, "The service is shutting down. Please try again.")


class Broker:
    """All topics and queues. Every change happens under `lock`, on disk first and then in memory."""

    def __init__(self, path: Path, clock: Clock, meter: Meter) -> None:
        self.store = Store(path)
        self.clock, self.meter = clock, meter
        self._shared = Shared(self.store, clock, self._stage)
        self.lock = self._shared.lock
        self.topics: dict[str, Any] = {topic.name: topic for topic in self.store.topics()}
        self.queues: dict[str, Queue] = {}
        for config in self.store.subscriptions():
            self.queues[config.name] = Queue(config, self._shared)
            self.queues[config.name].load()

    def topic(self, name: str) -> Any:
        """The topic, or NOT_FOUND."""
        topic = self.topics.get(name)
        if topic is None:
            raise not_found(name)
        return topic

    def queue(self, name: str) -> Queue:
        """The subscription, or NOT_FOUND."""
        queue = self.queues.get(name)
        if queue is None:
            raise not_found(name)
        return queue

    def subscribers(self, topic: str) -> list[Queue]:
        """The queues of a topic, by name."""
        with self.lock:
            return [queue for _, queue in sorted(self.queues.items()) if queue.config.topic == topic]

    def publish(self, topic: str, messages: list[Any]) -> list[str]:
        """Store and fan out messages (changed in place: id and time); their ids. NOT_FOUND without the topic."""
        with self.lock:
            self.topic(topic)
            with self.store.write() as db:
                after = self._stage(db, topic, messages)
            if after:
                after()
        return [message.message_id for message in messages]

    def add_queue(self, config: Any) -> Queue:
        """Create a subscription; the caller has checked it."""
        with self.lock:
            queue = Queue(config, self._shared)
            with self.store.write() as db:
                self.store.put_subscription(db, config)
            self.queues[config.name] = queue
            return queue

    def put_queue_config(self, config: Any) -> None:
        """Replace the configuration of a subscription."""
        with self.lock:
            with self.store.write() as db:
                self.store.put_subscription(db, config)
            self.queue(config.name).reconfigure(config)

    def drop_queue(self, name: str) -> None:
        """Delete a subscription; its streams end with NOT_FOUND."""
        with self.lock:
            queue = self.queue(name)
            with self.store.write() as db:
                self.store.delete_subscription(db, name)
            del self.queues[name]
            queue.close(not_found(name))

    def put_topic(self, topic: Any) -> None:
        """Create or replace a topic."""
        with self.lock:
            with self.store.write() as db:
                self.store.put_topic(db, topic)
            self.topics[topic.name] = topic

    def drop_topic(self, name: str) -> None:
        """Delete a topic; its subscriptions keep what they have."""
        with self.lock:
            self.topic(name)
            with self.store.write() as db:
                self.store.delete_topic(db, name, [queue.config for queue in self.subscribers(name)])
            del self.topics[name]

    def close(self) -> None:
        """End every stream and close the files."""
        with self.lock:
            for queue in self.queues.values():
                queue.close(_CLOSING)
            self.store.close()

    def _stage(self, db: Connection, topic: str, messages: list[Any]) -> Task | None:
        if topic not in self.topics:
            return None
        queues = self.subscribers(topic)
        added: dict[str, list[tuple[int, Any]]] = defaultdict(list)
        numbers, time = self.store.next_ids(db, len(messages)), _milliseconds(self.clock.now())
        for number, message in zip(numbers, messages, strict=True):
            message.message_id = str(number)
            message.publish_time.CopyFrom(time)
            names = [queue.config.name for queue in queues if queue.matches(message.attributes)]
            self.store.add(db, number, message, names)
            for name in names:
                added[name].append((number, message))

        def after() -> None:
            bill(self.meter, "publish_bytes", messages)
            for name, new in added.items():
                self.queues[name].add(new)

        return after


def _milliseconds(moment: datetime) -> Timestamp:
    stamp = Timestamp()
    stamp.FromMilliseconds(int(moment.timestamp() * 1000))
    return stamp
