"""How large a message is for the bill and for flow control, and what publish refuses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from infra.local.meter import Meter
from infra.local.pubsub.names import invalid

MAX_REQUEST_BYTES = 10 * 1024 * 1024
MAX_MESSAGES = 1000
MAX_ATTRIBUTES = 100
MAX_KEY_BYTES = 256
MAX_VALUE_BYTES = 1024
MAX_ORDERING_KEY_BYTES = 1024
MIN_BILLED_BYTES = 1000
_TIMESTAMP_BYTES = 20


def billed_size(message: Any) -> int:
    """Bytes by the pricing page's rule (cloud.google.com/pubsub/pricing, 2026-11): body, attributes, time, id, key."""
    attributes = sum(len(key.encode()) + len(value.encode()) for key, value in message.attributes.items())
    texts = len(message.message_id) + len(message.ordering_key.encode())
    return len(message.data) + attributes + texts + _TIMESTAMP_BYTES


def bill(meter: Meter, unit: str, messages: Iterable[Any]) -> None:
    """Count one publish, push or pull request; each is billed as 1,000 bytes at least, however many messages it has."""
    meter.add("pubsub", unit, max(MIN_BILLED_BYTES, sum(map(billed_size, messages))))


def check_publish(request: Any) -> None:
    """INVALID_ARGUMENT for what production does not take in one publish request."""
    count = len(request.messages)
    for wrong, extreme, bound in ((count < 1, "small", "minimum value is 1"), (count > MAX_MESSAGES, "large", "")):
        if wrong:
            bound = bound or f"maximum value is {MAX_MESSAGES}"
            raise invalid(f"The value for message_count is too {extreme}. You passed {count}, but the {bound}.")
    if request.ByteSize() > MAX_REQUEST_BYTES:
        raise invalid(f"Request payload size exceeds the limit: {MAX_REQUEST_BYTES} bytes.")
    _check_not_empty(request.messages)
    for message in request.messages:
        _check_attributes(message.attributes)
        if len(message.ordering_key.encode()) > MAX_ORDERING_KEY_BYTES:
            raise invalid(f"The ordering key is longer than {MAX_ORDERING_KEY_BYTES} bytes.")


def _check_not_empty(messages: Sequence[Any]) -> None:
    if not all(message.data or message.attributes for message in messages):
        raise invalid(
            "One or more messages in the publish request is empty. "
            "Each message must contain either non-empty data, or at least one attribute."
        )


def _check_attributes(attributes: Any) -> None:
    if len(attributes) > MAX_ATTRIBUTES:
        raise invalid(f"A message has {len(attributes)} attributes, but the maximum is {MAX_ATTRIBUTES}.")
    for key, value in attributes.items():
        if not key or len(key.encode()) > MAX_KEY_BYTES:
            raise invalid(f"The attribute key {key[:40]!r} must have 1 to {MAX_KEY_BYTES} bytes.")
        if key.startswith("goog"):
            raise invalid(f"The attribute key {key[:40]!r} begins with 'goog', which is reserved.")
        if len(value.encode()) > MAX_VALUE_BYTES:
            raise invalid(f"The value of attribute {key[:40]!r} is longer than {MAX_VALUE_BYTES} bytes.")
