"""Following a stream on a clock that a test moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from itertools import islice
from typing import Any, cast

import pytest

from shared.contracts.events import Event
from shared.errors import InputError, NotFound, Transient
from shared.store.stream_reading import Page
from shared.store.streams import Streams
from shared.trace import sse
from shared.trace.envelopes import envelope
from shared.trace.tail import PAGE, Position, position, tail
from tests.support.seams import FakeClock

STREAM = "operations/op"
MALFORMED = "malformed"
AT = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)


def event(seq: int, terminal: bool = False, kind: str = "step") -> Event:
    return Event(id=f"op-{seq}", seq=seq, type=kind, at=AT, data={"text": "zwei\nZeilen"}, terminal=terminal)


class FakeStreams:
    """A stream in a list; `reads` counts how often it was asked, `on_read` happens before each."""

    def __init__(self, *events: Event, ended: bool = False) -> None:
        self.events, self.ended, self.reads = list(events), ended, 0
        self.on_read: Callable[[int], None] = lambda _: None

    def page(self, parent: str, after: int = 0, limit: int = 100) -> Page:
        assert parent == STREAM
        self.reads += 1
        self.on_read(self.reads)
        looked_at = [one for one in self.events if one.seq > after][:limit]
        good = tuple(one for one in looked_at if one.type != MALFORMED)
        return Page(good, looked_at[-1].seq if looked_at else after, len(looked_at) == limit)

    def head(self, parent: str) -> tuple[int, bool]:
        if parent != STREAM:
            raise NotFound("none")
        return self.last_seq(parent), self.ended

    def last_seq(self, _parent: str) -> int:
        return self.events[-1].seq if self.events else 0


def follow(
    streams: FakeStreams, cursor: int = 0, *, clock: FakeClock | None = None, seconds: float = 300
) -> Iterator[str]:
    start = Position(STREAM, cursor, streams.ended)
    return tail(cast(Streams, streams), start, clock or FakeClock(), seconds)


def seqs(frames: Iterator[str]) -> list[int]:
    return [int(frame.split("\n")[0].removeprefix("id: ")) for frame in frames if frame.startswith("id: ")]


def test_a_frame_is_three_lines_whatever_the_text() -> None:
    frame = sse.frame(envelope(event(12), STREAM))
    lines = frame.split("\n")
    assert lines[:2] == ["id: 12", "event: trace"] and lines[3:] == ["", ""]
    assert '"stream":"operations/op"' in lines[2] and '"at":"2026-11-30T12:00:00Z"' in lines[2]


@pytest.mark.parametrize("cursor", range(5))
def test_resuming_anywhere_gives_exactly_the_rest(cursor: int) -> None:
    streams = FakeStreams(event(1), event(2), event(3), event(4, terminal=True), ended=True)
    assert seqs(follow(streams, cursor)) == list(range(cursor + 1, 5))


def test_it_ends_at_the_terminal_event_without_asking_again() -> None:
    streams = FakeStreams(event(1), event(2, terminal=True))
    assert seqs(follow(streams)) == [1, 2] and streams.reads == 1


def test_after_the_end_a_subscriber_who_has_everything_is_told_at_once() -> None:
    clock = FakeClock()
    assert list(follow(FakeStreams(event(1, terminal=True), ended=True), 1, clock=clock)) == [sse.OPENED]
    assert clock.slept == []


def test_more_than_a_page_comes_whole_and_without_waiting() -> None:
    clock = FakeClock()
    many = [event(n) for n in range(1, 2 * PAGE + 51)]
    assert len(seqs(follow(FakeStreams(*many, event(2 * PAGE + 51, terminal=True)), clock=clock))) == 2 * PAGE + 51
    assert clock.slept == []


@pytest.mark.parametrize("ended", [True, False])
def test_a_whole_page_of_malformed_events_hides_nothing_behind_it(ended: bool) -> None:
    spoiled = (event(n, kind=MALFORMED) for n in range(1, 2 * PAGE + 1))
    streams = FakeStreams(*spoiled, event(2 * PAGE + 1, terminal=True), ended=ended)
    assert seqs(follow(streams)) == [2 * PAGE + 1]


def test_it_asks_quickly_while_things_move_and_slowly_while_not() -> None:
    clock, streams = FakeClock(), FakeStreams()

    def arrive(reads: int) -> None:
        if reads == 12:
            streams.events.append(event(1))

    streams.on_read = arrive
    assert seqs(follow(streams, clock=clock, seconds=30)) == [1]
    assert clock.slept[0] < 0.5 and max(clock.slept[:11]) == clock.slept[10] == 2.0
    assert clock.slept[11] == 0.25 and all(pause <= 2.0 for pause in clock.slept)


def test_a_silent_stream_has_a_heartbeat_every_two_seconds_and_ends_in_time() -> None:
    clock = FakeClock()
    frames = list(follow(FakeStreams(), clock=clock, seconds=60))
    assert frames[0] == sse.OPENED and frames[-1] == "retry: 1000\n\n"
    assert frames[1:-1] == [sse.HEARTBEAT] * 29
    assert 59.9 <= sum(clock.slept) < 63


def test_an_outage_ends_the_stream_with_retry() -> None:
    streams = FakeStreams(event(1))

    def fail(reads: int) -> None:
        if reads == 2:
            raise Transient("away")

    streams.on_read = fail
    frames = list(follow(streams))
    assert seqs(iter(frames)) == [1] and frames[-1].startswith("retry:")


def test_a_subscriber_that_leaves_ends_it() -> None:
    clock, streams = FakeClock(), FakeStreams(event(1))
    frames = follow(streams, clock=clock)
    assert len(list(islice(frames, 2))) == 2
    frames.close()  # type: ignore[attr-defined]
    assert list(frames) == [] and streams.reads == 1


@pytest.mark.parametrize("given", ["-1", "1.5", "x", " 1", "1 ", "²", "١", "9" * 13, "0x1", "4"])
def test_a_cursor_that_is_none_of_this_stream_is_refused_by_name(given: str) -> None:
    with pytest.raises(InputError) as caught:
        position(cast(Streams, FakeStreams(event(1), event(3))), STREAM, given)
    assert caught.value.details == {"field": "Last-Event-ID"}


@pytest.mark.parametrize(("given", "cursor"), [(None, 0), ("", 0), ("0", 0), ("3", 3), ("002", 2)])
def test_a_good_cursor_is_the_position(given: str | None, cursor: int) -> None:
    streams: Any = FakeStreams(event(1), event(3), ended=True)
    assert position(streams, STREAM, given) == Position(STREAM, cursor, True)


def test_a_stream_without_an_owner_is_not_found() -> None:
    with pytest.raises(NotFound):
        position(cast(Streams, FakeStreams()), "operations/absent", None)


def test_a_stream_whose_owner_waits_for_a_person_is_let_go_of_soon() -> None:
    clock = FakeClock()
    waiting = FakeStreams(event(1), event(2, kind="plan_proposed"))
    for cursor in (0, 2):
        begun = clock.now()
        *_, last = follow(waiting, cursor, clock=clock)
        assert last == sse.retry(20_000) and (clock.now() - begun).total_seconds() < 20


def test_one_that_goes_on_after_a_person_s_word_is_followed_as_before() -> None:
    clock = FakeClock()
    begun = clock.now()
    *_, last = follow(FakeStreams(event(1, kind="plan_proposed"), event(2, kind="plan_approved")), clock=clock)
    assert last == sse.retry(1000) and (clock.now() - begun).total_seconds() >= 300
