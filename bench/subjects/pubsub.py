"""Publishing, streaming pull, and the way of one message, with the ordinary clients."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

from google.cloud.pubsub_v1 import PublisherClient, SubscriberClient, types

from bench.lab import PROJECT, Lab
from bench.row import Row, rate_row, time_row
from bench.timing import Plan, Prepared, Timed, compare

MESSAGES, BYTES = 500, 200
PATIENCE_SECONDS = 60.0


def run(lab: Lab) -> Iterator[Row]:
    plan = Plan(lab.rounds(9), warm_up=3)
    sides = {side: _Side(server.address) for side, server in lab.pubsub_servers.items()}
    try:
        publishing: dict[str, Timed] = {side: each.publish for side, each in sides.items()}
        yield rate_row("pubsub", f"publish, batches of {MESSAGES}", MESSAGES, compare(publishing, plan))
        pulling: dict[str, Timed] = {side: Prepared(each.fill, each.drain) for side, each in sides.items()}
        yield rate_row("pubsub", f"streaming pull of {MESSAGES}, acknowledged", MESSAGES, compare(pulling, plan))
        for each in sides.values():
            each.listen()
        sending: dict[str, Timed] = {side: each.send for side, each in sides.items()}
        yield time_row("pubsub", "publish until received", compare(sending, plan))
    finally:
        for each in sides.values():
            each.close()


class _Side:
    """One server: a topic that nobody reads, one that is drained, one that is listened to."""

    def __init__(self, address: str) -> None:
        with mock.patch.dict(os.environ, PUBSUB_EMULATOR_HOST=address):
            at_once = types.BatchSettings(max_messages=MESSAGES, max_latency=0.02)
            self._bulk = PublisherClient(at_once)
            self._single = PublisherClient(types.BatchSettings(max_messages=1))
            self._subscriber = SubscriberClient()
        self._unread = self._topic("unread")
        self._drained, self._heard = self._topic("drained"), self._topic("heard")
        self._hear = self._subscription(self._heard, 0)
        self._received: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._open: list[Any] = []

    def publish(self, _number: int) -> None:
        self._send_all(self._unread)

    def fill(self, number: int) -> str:
        """A new subscription with messages; the one before it ends, so that nothing of it is delivered again."""
        self._end_streams()
        subscription = self._subscription(self._drained, number)
        self._send_all(self._drained)
        return subscription

    def drain(self, subscription: str) -> None:
        """Receive and acknowledge all that is there."""
        left = threading.Semaphore(0)

        def receive(message: Any) -> None:
            message.ack()
            left.release()

        self._open.append(self._stream(subscription, receive))
        for received in range(MESSAGES):
            if not left.acquire(timeout=PATIENCE_SECONDS):
                raise TimeoutError(f"only {received} of {MESSAGES} messages came")

    def listen(self) -> None:
        """Have what `send` publishes received."""
        self._end_streams()

        def receive(message: Any) -> None:
            message.ack()
            self._received.put(message.data)

        self._open.append(self._stream(self._hear, receive))

    def send(self, number: int) -> None:
        """Publish one message and wait for it."""
        data = str(number).encode()
        self._single.publish(self._heard, data)
        while self._received.get(timeout=PATIENCE_SECONDS) != data:
            pass

    def close(self) -> None:
        self._end_streams()
        self._subscriber.close()
        for publisher in (self._bulk, self._single):
            publisher.stop()
            publisher.transport.close()

    def _send_all(self, topic: str) -> None:
        futures = [self._bulk.publish(topic, b"x" * BYTES, number=str(each)) for each in range(MESSAGES)]
        for future in futures:
            future.result(PATIENCE_SECONDS)

    def _stream(self, subscription: str, receive: Callable[[Any], None]) -> Any:
        flow = types.FlowControl(max_messages=2 * MESSAGES)
        return self._subscriber.subscribe(subscription, receive, flow_control=flow)

    def _topic(self, name: str) -> str:
        return str(self._bulk.create_topic(name=f"projects/{PROJECT}/topics/bench-{name}").name)

    def _end_streams(self) -> None:
        for stream in self._open:
            stream.cancel()
            stream.result(PATIENCE_SECONDS)
        self._open.clear()

    def _subscription(self, topic: str, number: int) -> str:
        name = f"{topic.replace('/topics/', '/subscriptions/')}-{number}"
        return str(self._subscriber.create_subscription(name=name, topic=topic).name)
