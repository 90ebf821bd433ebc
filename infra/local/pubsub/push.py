"""Push: each message is POSTed to the endpoint, with an OIDC token when asked for, and acknowledged by status code."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol

from infra.local.clock import Clock
from infra.local.outgoing import client
from infra.local.pubsub.consumer import Consumer, Delivery, Limits
from infra.local.pubsub.queue import Queue

ACK_STATUSES = frozenset({102, 200, 201, 202, 204})
CONCURRENT_PUSHES = 20
FIRST_PAUSE = timedelta(milliseconds=100)
LONGEST_PAUSE = timedelta(seconds=60)


class Tokens(Protocol):
    """Who mints the bearer tokens of pushes."""

    def id_token(self, email: str, audience: str) -> str: ...


@dataclass(frozen=True)
class PushRequest:
    """One POST. `timeout_seconds` is the subscription's ack deadline."""

    url: str
    headers: Mapping[str, str]
    body: bytes
    timeout_seconds: float


class PushFailed(Exception):
    """There was no answer to a push; it counts as a refusal."""


Push = Callable[[PushRequest], int]
Handle = Callable[[Any, Delivery], bool]


def push_over_http(request: PushRequest) -> int:
    """Send a push; its status code, or PushFailed when there is no answer. Proxies of the environment are ignored."""
    import httpx  # not at every start: it takes long

    try:
        with client(request.timeout_seconds) as session:
            answer = session.post(request.url, content=request.body, headers=dict(request.headers))
    except httpx.HTTPError as error:
        raise PushFailed(f"{request.url}: {error}") from error
    return answer.status_code


def push_request(config: Any, message: Any, delivery: Delivery, tokens: Tokens) -> PushRequest:
    """What production posts for a message (both spellings of the message's fields)."""
    target = config.push_config
    headers = {"Content-Type": "application/json", "User-Agent": "CloudPubSub-Google", "From": "noreply@google.com"}
    if target.HasField("oidc_token"):
        audience = target.oidc_token.audience or target.push_endpoint
        headers["Authorization"] = f"Bearer {tokens.id_token(target.oidc_token.service_account_email, audience)}"
    body: dict[str, Any] = {"message": message_json(message), "subscription": config.name}
    if config.HasField("dead_letter_policy"):
        body["deliveryAttempt"] = delivery.attempt
    content = json.dumps(body, separators=(",", ":")).encode()
    return PushRequest(target.push_endpoint, headers, content, config.ack_deadline_seconds)


def message_json(message: Any) -> dict[str, Any]:
    """A PubsubMessage as push and Eventarc carry it in JSON."""
    time = message.publish_time.ToJsonString()
    body: dict[str, Any] = {
        "messageId": message.message_id,
        "message_id": message.message_id,
        "publishTime": time,
        "publish_time": time,
    }
    if message.data:
        body["data"] = base64.b64encode(message.data).decode()
    if message.attributes:
        body["attributes"] = dict(message.attributes)
    if message.ordering_key:
        body["orderingKey"] = message.ordering_key
    return body


class Pusher(Consumer):
    """Hands each message to `handle(message, delivery)`, which answers whether it is acknowledged.

    After a refusal the whole subscription pauses, longer each time, unless its retry policy spaces the messages out.
    """

    def __init__(self, queue: Queue, clock: Clock, load: Callable[[int], Any | None], handle: Handle) -> None:
        super().__init__(Limits(messages=CONCURRENT_PUSHES, one_per_key=True), queue.ack_deadline)
        self._queue, self._clock, self._load, self._handle = queue, clock, load, handle
        self._paused = False
        self._refusals = 0

    def has_room(self, size: int) -> bool:
        return not self._paused and super().has_room(size)

    def give(self, delivery: Delivery) -> None:
        self._clock.spawn(lambda: self._deliver(delivery), "pubsub push")

    def _deliver(self, delivery: Delivery) -> None:
        message = None if self.ended else self._load(delivery.number)
        if message is None:
            return
        if self._handle(message, delivery):
            self._refusals = 0
            self._queue.acknowledge([(delivery.number, delivery.lease)])
        else:
            self._pause()
            self._queue.modify([(delivery.number, delivery.lease, 0)])

    def _pause(self) -> None:
        with self._changed:
            if self._paused or self._queue.config.HasField("retry_policy"):
                return
            wait = min(FIRST_PAUSE * 2 ** min(self._refusals, 20), LONGEST_PAUSE)
            self._paused, self._refusals = True, self._refusals + 1
        self._clock.call_later(wait.total_seconds(), self._resume, "pubsub push pause")

    def _resume(self) -> None:
        self._paused = False
        self._queue.resume()
