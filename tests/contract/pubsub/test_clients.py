"""The publisher as applications use it: batches filled in the background, ordering keys, a streaming subscriber."""

from __future__ import annotations

import threading
from collections import defaultdict
from typing import Any

from google.cloud import pubsub_v1
from google.cloud.pubsub_v1.types import BatchSettings, PublisherOptions

from tests.contract.pubsub.cloud import PATIENCE_SECONDS, Cloud

KEYS = ("a", "b", "c", "d")
EACH = 50


def test_batches_of_ordered_messages_arrive_in_order_at_a_streaming_subscriber(cloud: Cloud) -> None:
    topic = cloud.topic()
    subscription = cloud.subscription(topic, enable_message_ordering=True)
    batches = BatchSettings(max_messages=20, max_latency=0.05)
    publisher = pubsub_v1.PublisherClient(batches, PublisherOptions(enable_message_ordering=True))
    arrived: dict[str, list[int]] = defaultdict(list)
    lock, everything = threading.Lock(), threading.Event()

    def handle(message: Any) -> None:
        with lock:
            arrived[message.ordering_key].append(int(message.data))
            if sum(map(len, arrived.values())) == EACH * len(KEYS):
                everything.set()
        message.ack()

    stream = cloud.subscriber.subscribe(subscription, handle)
    try:
        published = [
            publisher.publish(topic, str(number).encode(), ordering_key=key) for number in range(EACH) for key in KEYS
        ]
        ids = [each.result(PATIENCE_SECONDS) for each in published]
        assert everything.wait(PATIENCE_SECONDS)
    finally:
        stream.cancel()
        stream.result(PATIENCE_SECONDS)
        publisher.stop()
        publisher.transport.close()
    assert len(set(ids)) == EACH * len(KEYS)
    assert arrived == {key: list(range(EACH)) for key in KEYS}
