"""Following a stream: quickly while things move, slowly while they do not, never for longer than agreed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from shared.clock import Clock
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

    A subscriber that leaves closes the generator, at the next frame or heartbeat. An outage ends it with `retry:` too.
    """
    yield sse.OPENED
    cursor, pause = start.cursor, QUICK_SECONDS
    opened = sent = clock.now()
    while (clock.now() - opened).total_seconds() < seconds:
        page = _more(streams, start.stream, cursor)
        if page is None:
            break
        for event in page.events:
            yield sse.frame(envelope(event, start.stream))
            sent = clock.now()
            if event.terminal:
                return
        cursor = page.cursor
        if page.more:
            continue
        if start.ended:
            return
        silent = (clock.now() - sent).total_seconds()
        if silent >= HEARTBEAT_SECONDS:
            yield sse.HEARTBEAT
            sent, silent = clock.now(), 0.0
        pause = QUICK_SECONDS if page.events else min(SLOW_SECONDS, pause * 1.5)
        clock.sleep(min(pause, max(HEARTBEAT_SECONDS - silent, 0.05)))
    yield sse.retry(RETRY_MILLISECONDS)


def _more(streams: Streams, stream: str, cursor: int) -> Page | None:
    try:
        return streams.page(stream, after=cursor, limit=PAGE)
    except Transient:
        return None


def _number(last_event_id: str | None) -> int:
    text = last_event_id or "0"
    if not (text.isascii() and text.isdigit() and len(text) <= 12):
        raise InputError("Last-Event-ID: give the id of an event of this stream", field="Last-Event-ID")
    return int(text)
