"""Following a stream: quickly while things move, slowly while they do not, never for longer than agreed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from shared.clock import Clock
from shared.contracts.events import EventType
from shared.errors import InputError, Transient
from shared.store.stream_reading import Page
from shared.store.streams import Streams
from shared.trace import sse
from shared.trace.envelopes import envelope

QUICK_SECONDS = 0.25
SLOW_SECONDS = 2.0
HEARTBEAT_SECONDS = 2.0
"""A silent stream says something this often: only by writing is it noticed that the subscriber has left, and until then
his place is taken, which he may want back at once."""
PAGE = 100
RETRY_MILLISECONDS = 1000
IDLE_SECONDS = 10.0
"""So long a stream waits whose owner waits for a person: each open one costs an instance."""
IDLE_RETRY_MILLISECONDS = 20_000
_WAITING = frozenset({EventType.PLAN_PROPOSED, EventType.PLAN_EDITED})
"""The last event of a stream whose owner waits so."""


@dataclass(frozen=True)
class Position:
    """Where a subscriber stands in a stream: the last seq it has, and whether the stream had ended by then."""

    stream: str
    cursor: int
    ended: bool


def position(streams: Streams, stream: str, last_event_id: str | None) -> Position:
    """Check a subscriber's cursor. Raises NotFound without the stream's owner, InputError for a cursor not of it."""
    cursor = _number(last_event_id)
    seq, ended = streams.head(stream)
    if cursor > seq and cursor > streams.last_seq(stream):
        raise InputError(f"Last-Event-ID: {cursor} lies in the future, the last event is {seq}", field="Last-Event-ID")
    return Position(stream, cursor, ended)


def tail(streams: Streams, start: Position, clock: Clock, seconds: float) -> Iterator[str]:
    """The frames after `start`: ends after the terminal event, or with `retry:` after `seconds`.

    It ends soon, with a longer `retry:`, where nothing comes but by a person's word. An outage ends it with `retry:`
    too. A subscriber that leaves closes the generator, at the next frame or heartbeat.
    """
    yield sse.OPENED
    cursor, pause = start.cursor, QUICK_SECONDS
    opened = sent = moved = clock.now()
    looked = False
    while (clock.now() - opened).total_seconds() < seconds:
        page = _more(streams, start.stream, cursor)
        if page is None:
            break
        for event in page.events:
            yield sse.frame(envelope(event, start.stream))
            sent = moved = clock.now()
            looked = False
            if event.terminal:
                return
        cursor = page.cursor
        if page.more:
            continue
        if start.ended:
            return
        if not looked and (clock.now() - moved).total_seconds() >= IDLE_SECONDS:
            looked = True
            if _waits(streams, start.stream, cursor):
                yield sse.retry(IDLE_RETRY_MILLISECONDS)
                return
        silent = (clock.now() - sent).total_seconds()
        if silent >= HEARTBEAT_SECONDS:
            yield sse.HEARTBEAT
            sent, silent = clock.now(), 0.0
        pause = QUICK_SECONDS if page.events else min(SLOW_SECONDS, pause * 1.5)
        clock.sleep(min(pause, max(HEARTBEAT_SECONDS - silent, 0.05)))
    yield sse.retry(RETRY_MILLISECONDS)


def _waits(streams: Streams, stream: str, cursor: int) -> bool:
    """Whether the last event that was told, in this connection or before, is one after which a person is waited for."""
    page = _more(streams, stream, cursor - 1, limit=1) if cursor else None
    return page is not None and any(event.type in _WAITING for event in page.events)


def _more(streams: Streams, stream: str, cursor: int, limit: int = PAGE) -> Page | None:
    try:
        return streams.page(stream, after=cursor, limit=limit)
    except Transient:
        return None


def _number(last_event_id: str | None) -> int:
    text = last_event_id or "0"
    if not (text.isascii() and text.isdigit() and len(text) <= 12):
        raise InputError("Last-Event-ID: give the id of an event of this stream", field="Last-Event-ID")
    return int(text)
