"""From a stored event to a message: flow 5 of the architecture, the outbox of every stream."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from shared.contracts.events import TRACE_TOPIC, Event
from shared.errors import InputError
from shared.store.event_reading import read_event
from shared.telemetry.spans import span, traceparent
from shared.trace.envelopes import envelope
from shared.trigger import Change

Publish = Callable[[str, bytes, Mapping[str, str]], str]
"""(topic, data, attributes) to the message's id, as Publisher.publish."""


def fan_out(change: Change, publish: Publish) -> None:
    """Publish the envelope with the attributes workspace, type and stream; it may be published twice.

    There is no ordering key: the trigger has no order, the envelope has its seq. Raises InputError for what is no event
    document, and Transient when Pub/Sub gives no answer.
    """
    stored = _stored(change)
    stream = "/".join(change.document[2:-2])
    attributes = {"workspace": change.workspace, "type": stored.type, "stream": stream}
    with span(f"send {TRACE_TOPIC}", "producer"):
        if told := traceparent():
            attributes["traceparent"] = told
        publish(TRACE_TOPIC, envelope(stored, stream).model_dump_json().encode(), attributes)


def _stored(change: Change) -> Event:
    path = "/".join(change.document)
    if len(change.document) < 6 or change.document[-2] != "events" or change.new is None:
        raise InputError(f"{path} is no new event of a stream")
    try:
        return read_event(change.new)
    except InputError as error:
        raise InputError(f"{path}: {error.message}") from error
