"""The handlers of event streams: Server-Sent Events, or a page of JSON for who asks for it."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response

from shared.api import answers, request
from shared.api.route import Call
from shared.contracts.events import Envelope, Event, EventsAnswer
from shared.contracts.limits import PAGE_SIZE
from shared.errors import InputError
from shared.store import paths
from shared.trace.envelopes import envelope
from shared.trace.tail import Position, position, tail

STREAMS_FULL = "Too many event streams are open: close one, or poll with Accept: application/json."


def note_events(call: Call) -> Response:
    return _events(call, paths.note(call.id))


def operation_events(call: Call) -> Response:
    return _events(call, paths.operation(call.id))


def run_events(call: Call) -> Response:
    return _events(call, paths.run(call.id))


def _events(call: Call, stream: str) -> Response:
    start = position(call.store.streams, stream, last_event_id(call))
    if request.wants_json(call.request):
        return events_page(call, start)
    if "limit" in call.query:
        raise InputError("limit: only for a page of JSON, ask with Accept: application/json", field="limit")
    leave = call.app.gate.enter(call.principal.workspace, refusal=STREAMS_FULL)
    return answers.event_stream(tail(call.store.streams, start, call.app.clock, call.app.settings.sse_seconds), leave)


def events_page(call: Call, start: Position, show: Callable[[Event, str], Envelope] = envelope) -> Response:
    """The events after a position as JSON; `show` makes an envelope of an event and its stream."""
    limit = call.query.get("limit", PAGE_SIZE)
    page = call.store.streams.page(start.stream, after=start.cursor, limit=limit)
    shown = tuple(show(event, start.stream) for event in page.events)
    return answers.model(EventsAnswer(events=shown, next_cursor=str(page.cursor)))


def last_event_id(call: Call) -> str | None:
    """Where the subscriber stands: the header, or the parameter for clients that cannot set it."""
    header: str | None = call.request.headers.get("Last-Event-ID")
    return header if header is not None else call.query.get("last_event_id")
