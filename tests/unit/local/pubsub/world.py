"""Pub/Sub on a virtual clock, behind a real gRPC server, with pushes that a test answers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import grpc
from google.pubsub_v1 import PublisherClient, SubscriberClient
from google.pubsub_v1.services.publisher.transports import PublisherGrpcTransport
from google.pubsub_v1.services.subscriber.transports import SubscriberGrpcTransport
from google.pubsub_v1.types import PubsubMessage, ReceivedMessage

from infra.local.clock import VirtualClock
from infra.local.meter import Meter
from infra.local.pubsub.push import PushFailed, PushRequest
from infra.local.pubsub.service import PubSubPart

TOPIC = "projects/memex-local/topics/trace-events"
SUBSCRIPTION = "projects/memex-local/subscriptions/tail"


class Tokens:
    """Tokens that say whom they are for."""

    def id_token(self, email: str, audience: str) -> str:
        return f"token({email},{audience})"


class World:
    """One run of the part over a data directory; `stop` and build another for a restart."""

    def __init__(self, data_dir: Path, clock: VirtualClock | None = None) -> None:
        self.clock = clock or VirtualClock()
        self.meter = Meter()
        self.pushed: list[PushRequest] = []
        self.statuses: list[int] = [200]
        self.part = PubSubPart(data_dir, self.clock, self.meter, Tokens(), self._push)
        self.server = grpc.server(ThreadPoolExecutor(16))
        self.server.add_generic_rpc_handlers(self.part.handlers())
        port = self.server.add_insecure_port("127.0.0.1:0")
        self.server.start()
        self.part.start()
        self.channel = grpc.insecure_channel(f"127.0.0.1:{port}")
        self.publisher = PublisherClient(transport=PublisherGrpcTransport(channel=self.channel))
        self.subscriber = SubscriberClient(transport=SubscriberGrpcTransport(channel=self.channel))

    def topic(self, **settings: Any) -> None:
        """The topic with one subscription that has these settings."""
        self.part.ensure_topic(TOPIC)
        self.subscriber.create_subscription(request={"name": SUBSCRIPTION, "topic": TOPIC, **settings})

    def publish(self, *texts: str, key: str = "") -> None:
        messages = [PubsubMessage(data=text.encode(), ordering_key=key) for text in texts]
        self.publisher.publish(topic=TOPIC, messages=messages, timeout=10)

    def pull(self, subscription: str = SUBSCRIPTION) -> list[ReceivedMessage]:
        """What can be had at this moment."""
        request = {"subscription": subscription, "max_messages": 100, "return_immediately": True}
        return list(self.subscriber.pull(request=request, timeout=10).received_messages)

    def texts(self) -> list[str]:
        return [each.message.data.decode() for each in self.pull()]

    def nack(self, received: list[ReceivedMessage], seconds: int = 0) -> None:
        self.subscriber.modify_ack_deadline(
            subscription=SUBSCRIPTION, ack_ids=[each.ack_id for each in received], ack_deadline_seconds=seconds
        )

    def ack(self, received: list[ReceivedMessage]) -> None:
        self.subscriber.acknowledge(subscription=SUBSCRIPTION, ack_ids=[each.ack_id for each in received])

    def advance(self, seconds: float) -> None:
        """Let that much virtual time pass, with all that falls due in it."""
        self.clock.call_later(seconds, lambda: None, "advance")
        self.clock.run_until(lambda: False, limit=timedelta(seconds=seconds), real_seconds=20)

    def stop(self, *, keep_clock: bool = False) -> None:
        self.part.close()
        self.channel.close()
        self.server.stop(0).wait(10)
        if not keep_clock:
            self.clock.close()

    def _push(self, request: PushRequest) -> int:
        status = self.statuses[min(len(self.pushed), len(self.statuses) - 1)]
        self.pushed.append(request)
        if status == 0:
            raise PushFailed("no answer")
        return status
