"""One Pub/Sub of the two: raw requests in, comparable answers out."""

from __future__ import annotations

from typing import Any

import grpc
from google.protobuf.empty_pb2 import Empty
from google.pubsub_v1.types import pubsub

from tests.contract.parity.firestore_side import DEADLINE_SECONDS, Answer

ACK_PREFIX = "ack "
"""In a request "ack 2" is the third ack id this server gave; one that it never gave stays as it is."""
_RESPONSES = {
    "Publisher/CreateTopic": pubsub.Topic,
    "Publisher/GetTopic": pubsub.Topic,
    "Subscriber/CreateSubscription": pubsub.Subscription,
    "Subscriber/GetSubscription": pubsub.Subscription,
    "Subscriber/UpdateSubscription": pubsub.Subscription,
}
_EMPTY = {
    "Publisher/DeleteTopic",
    "Subscriber/DeleteSubscription",
    "Subscriber/Acknowledge",
    "Subscriber/ModifyAckDeadline",
    "Subscriber/ModifyPushConfig",
}
_LISTS = {"topics", "subscriptions"}


class PubSubSide:
    """A connection."""

    def __init__(self, address: str) -> None:
        self._channel = grpc.insecure_channel(address)
        self._ack_ids: list[str] = []
        self._message_ids: list[str] = []

    def close(self) -> None:
        self._channel.close()

    def fresh(self) -> None:
        """Forget the ids of messages and deliveries."""
        self._ack_ids.clear()
        self._message_ids.clear()

    def ask(self, method: str, request: Any) -> Answer:
        """The answer to one request."""
        if hasattr(request, "ack_ids"):
            for at, ack_id in enumerate(request.ack_ids):
                request.ack_ids[at] = self._ack_id(ack_id)
        call = self._channel.unary_unary(
            f"/google.pubsub.v1.{method}",
            request_serializer=type(request).SerializeToString,
            response_deserializer=_response(method).FromString,
        )
        try:
            response = call(request, DEADLINE_SECONDS)
        except grpc.RpcError as error:
            return Answer(error.code().name, text=error.details() or "")
        return Answer("OK", self._content(method, response))

    def _ack_id(self, symbol: str) -> str:
        number = symbol.removeprefix(ACK_PREFIX)
        known = number.isdigit() and int(number) < len(self._ack_ids)
        return self._ack_ids[int(number)] if known else symbol

    def _content(self, method: str, response: Any) -> Any:
        if method == "Publisher/Publish":
            self._message_ids += response.message_ids
            return len(response.message_ids)
        if method == "Subscriber/Pull":
            received = sorted(response.received_messages, key=lambda each: self._number(each.message.message_id))
            self._ack_ids += [each.ack_id for each in received]
            return [self._received(each) for each in received]
        return _plain(response)

    def _received(self, each: Any) -> Any:
        message = each.message
        told = [self._number(message.message_id), message.data.decode(), dict(message.attributes), message.ordering_key]
        return [*told, each.delivery_attempt]

    def _number(self, message_id: str) -> int:
        return self._message_ids.index(message_id) if message_id in self._message_ids else -1


def _response(method: str) -> Any:
    if method in _EMPTY:
        return Empty
    known = _RESPONSES.get(method)
    return (known or getattr(pubsub, method.partition("/")[2] + "Response")).pb()


def _plain(message: Any) -> Any:
    """As nested dicts and lists; what is listed, sorted."""
    told = {}
    for field, value in message.ListFields():
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            told[field.name] = dict(value)
        elif field.is_repeated:
            made = [_plain(each) if field.message_type is not None else each for each in value]
            told[field.name] = sorted(made, key=str) if field.name in _LISTS else made
        else:
            told[field.name] = _plain(value) if field.message_type is not None else value
    return told
