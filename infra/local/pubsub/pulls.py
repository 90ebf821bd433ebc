"""Pull, Acknowledge, ModifyAckDeadline and StreamingPull of google.pubsub.v1.Subscriber."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

import grpc
from google.protobuf import empty_pb2
from google.pubsub_v1 import types

from infra.local.meter import Meter
from infra.local.pubsub.broker import Broker
from infra.local.pubsub.consumer import UNLIMITED, Consumer, Delivery, Limits
from infra.local.pubsub.names import check_name, invalid, short
from infra.local.pubsub.queue import Queue
from infra.local.pubsub.sizes import bill
from infra.local.rpc import Kind, Method, RpcError

LONG_PULL_SECONDS = 90
# Clients that were not told otherwise refuse an answer of more than 4 MiB.
RESPONSE_BYTES = 3 * 1024 * 1024
_ACK_ID = re.compile(r"([0-9a-f]{1,16})-([0-9a-f]{1,16})")


class PullsApi:
    """Messages to clients that ask for them."""

    def __init__(self, broker: Broker, meter: Meter) -> None:
        self._broker, self._meter = broker, meter

    def methods(self) -> dict[str, Method]:
        empty = empty_pb2.Empty
        return {
            "Pull": Method(self.pull, types.PullRequest.pb(), types.PullResponse.pb()),
            "Acknowledge": Method(self.acknowledge, types.AcknowledgeRequest.pb(), empty),
            "ModifyAckDeadline": Method(self.modify, types.ModifyAckDeadlineRequest.pb(), empty),
            "StreamingPull": Method(
                self.streaming_pull,
                types.StreamingPullRequest.pb(),
                types.StreamingPullResponse.pb(),
                Kind.BIDI_STREAM,
            ),
        }

    def pull(self, request: Any, context: grpc.ServicerContext) -> Any:
        """Answers as soon as there is something, else with nothing after a while or just before the client gives up."""
        queue = self._pullable(request.subscription)
        if request.max_messages < 1:
            raise invalid(
                f"The value for max_messages is too small. You passed {request.max_messages} in the request, "
                "but the minimum value is 1."
            )
        limits = Limits(min(request.max_messages, 1000), RESPONSE_BYTES)
        consumer = Consumer(limits, queue.ack_deadline)
        _end_with_call(consumer, context)
        try:
            queue.attach(consumer)
            deliveries = consumer.wait(limits.messages, 0.0)
            if not deliveries and not request.return_immediately:
                deliveries = self._wait(consumer, context)
            received = self._receive(queue, deliveries)
        finally:
            queue.detach(consumer)
        return types.PullResponse.pb()(received_messages=received)

    def _wait(self, consumer: Consumer, context: grpc.ServicerContext) -> list[Delivery]:
        timer = self._broker.clock.call_later(LONG_PULL_SECONDS, consumer.end, "pubsub pull")
        try:
            return consumer.wait(consumer.limits.messages, _patience(context))
        finally:
            timer.cancel()

    def acknowledge(self, request: Any, _context: grpc.ServicerContext) -> Any:
        queue = self._broker.queue(check_name(request.subscription, "subscriptions"))
        queue.acknowledge(_parse(request.ack_ids))
        return empty_pb2.Empty()

    def modify(self, request: Any, _context: grpc.ServicerContext) -> Any:
        queue = self._broker.queue(check_name(request.subscription, "subscriptions"))
        seconds = request.ack_deadline_seconds
        if not 0 <= seconds <= 600:
            raise invalid(f"Invalid ack deadline given (ack_deadline_seconds={seconds}): it must be from 0 to 600.")
        queue.modify([(number, lease, seconds) for number, lease in _parse(request.ack_ids)])
        return empty_pb2.Empty()

    def streaming_pull(self, requests: Iterator[Any], context: grpc.ServicerContext) -> Iterator[Any]:
        """Runs until the client leaves, the subscription goes or the service closes."""
        first = next(requests, None)
        if first is None:
            return
        queue, consumer = self._open(first)
        _end_with_call(consumer, context)
        queue.attach(consumer)
        reader = threading.Thread(
            target=self._read, args=(queue, consumer, requests), name="pubsub stream", daemon=True
        )
        reader.start()  # a thread of its own, not the clock's: a reading stream is no work that time waits for
        try:
            self._apply(queue, first)
            while deliveries := consumer.wait(100):
                yield from self._responses(queue, deliveries)
        finally:
            queue.detach(consumer)

    def _open(self, first: Any) -> tuple[Queue, Consumer]:
        if not first.subscription:
            raise invalid("The first request of a StreamingPull must set the subscription.")
        queue = self._pullable(first.subscription)
        seconds = first.stream_ack_deadline_seconds
        if not 10 <= seconds <= 600:
            raise invalid(
                f"The value for stream_ack_deadline_seconds is out of bounds. You passed {seconds} in the request, "
                "but the value must be between 10 and 600."
            )
        messages, size = first.max_outstanding_messages, first.max_outstanding_bytes
        limits = Limits(messages if messages > 0 else UNLIMITED, size if size > 0 else UNLIMITED)
        return queue, Consumer(limits, timedelta(seconds=seconds), first.client_id)

    def _read(self, queue: Queue, consumer: Consumer, requests: Iterator[Any]) -> None:
        """Apply what the client says on its stream until it has nothing more to say."""
        try:
            for request in requests:
                if request.subscription or request.client_id:
                    raise invalid("subscription and client_id may be set in the first request of a StreamingPull only.")
                if request.stream_ack_deadline_seconds:
                    consumer.lease = timedelta(seconds=max(10, min(600, request.stream_ack_deadline_seconds)))
                self._apply(queue, request)
        except RpcError as error:
            consumer.end(error)
        except grpc.RpcError:
            consumer.end()  # the client is gone
        else:
            consumer.end()

    def _apply(self, queue: Queue, request: Any) -> None:
        if len(request.modify_deadline_ack_ids) != len(request.modify_deadline_seconds):
            raise invalid("modify_deadline_ack_ids and modify_deadline_seconds must have the same size.")
        if request.ack_ids:
            queue.acknowledge(_parse(request.ack_ids))
        if request.modify_deadline_ack_ids:
            pairs = zip(_parse(request.modify_deadline_ack_ids), request.modify_deadline_seconds, strict=True)
            queue.modify([(number, lease, min(600, max(0, seconds))) for (number, lease), seconds in pairs])

    def _responses(self, queue: Queue, deliveries: list[Delivery]) -> Iterator[Any]:
        properties = types.StreamingPullResponse.SubscriptionProperties.pb()(
            message_ordering_enabled=queue.config.enable_message_ordering
        )
        batch: list[Any] = []
        for received in self._load(queue, deliveries):
            if batch and sum(map(_size, batch)) + _size(received) > RESPONSE_BYTES:
                yield self._response(batch, properties)
                batch = []
            batch.append(received)
        if batch:
            yield self._response(batch, properties)

    def _response(self, batch: list[Any], properties: Any) -> Any:
        bill(self._meter, "delivery_bytes", [received.message for received in batch])
        return types.StreamingPullResponse.pb()(received_messages=batch, subscription_properties=properties)

    def _receive(self, queue: Queue, deliveries: list[Delivery]) -> list[Any]:
        received = list(self._load(queue, deliveries))
        if received:
            bill(self._meter, "delivery_bytes", [each.message for each in received])
        return received

    def _load(self, queue: Queue, deliveries: list[Delivery]) -> Iterator[Any]:
        shows_attempt = queue.config.HasField("dead_letter_policy")
        for delivery in deliveries:
            message = self._broker.store.message(delivery.number)
            if message is not None:
                attempt = delivery.attempt if shows_attempt else 0
                yield types.ReceivedMessage.pb()(ack_id=delivery.ack_id, message=message, delivery_attempt=attempt)

    def _pullable(self, name: str) -> Queue:
        queue = self._broker.queue(check_name(name, "subscriptions"))
        if queue.config.push_config.push_endpoint:
            message = f"The subscription {short(name)} delivers by push; it cannot be pulled from."
            raise RpcError(grpc.StatusCode.FAILED_PRECONDITION, message)
        return queue


def _end_with_call(consumer: Consumer, context: grpc.ServicerContext) -> None:
    if not context.add_callback(consumer.end):
        consumer.end()  # the call was over before this


def _patience(context: grpc.ServicerContext) -> float | None:
    """How long a pull may wait so that its empty answer still reaches the client; None: no bound from the client."""
    left = context.time_remaining()
    return None if left is None else max(0.0, left - min(1.0, left / 5))


def _size(received: Any) -> int:
    size: int = received.ByteSize()
    return size


def _parse(ack_ids: Iterable[str]) -> list[tuple[int, int]]:
    matches = [(text, _ACK_ID.fullmatch(text)) for text in ack_ids]
    if not matches:
        raise invalid("No ack ids specified.")
    for text, match in matches:
        if match is None:
            raise invalid(f"Invalid ack id (ack_id={text[:100]}).")
    return [(int(match[1], 16), int(match[2], 16)) for _, match in matches if match]
