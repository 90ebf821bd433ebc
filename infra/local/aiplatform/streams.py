"""An open event stream of a run: what is there at once, the rest as it comes, heartbeats between."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from types import TracebackType

from flask import Response

from infra.local.aiplatform.errors import ApiError, invalid
from infra.local.aiplatform.frames import DONE, frames_of
from infra.local.aiplatform.runs import Runs
from infra.local.clock import Timer

_HEARTBEAT_SECONDS = 15.0
_HEARTBEAT = ": heartbeat\n\n"


def event_stream(runs: Runs, identity: str, last_event_id: str | None) -> Response:
    """Answer with the events after `last_event_id`, or all of them. Raises ApiError 404 and 400."""
    record, _elapsed = runs.look(identity)
    position = 0
    if last_event_id:
        ids = [frame.event_id for frame in frames_of(record)]
        if last_event_id not in ids:
            raise invalid(f"Unknown last_event_id {last_event_id!r}.", "last_event_id")
        position = ids.index(last_event_id) + 1
    return _response(_events(runs, identity, position, record.plan.stream_seconds))


def hanging_stream(runs: Runs, seconds: float = 600.0) -> Response:
    """A stream that stays open and says nothing: the answer that never comes."""
    return _response(_silence(runs, seconds))


def _response(body: Iterator[str]) -> Response:
    return Response(body, mimetype="text/event-stream", headers={"Cache-Control": "no-cache"})


class _Open:
    """One connection: its deadline and its heartbeats are timers of the clock, cancelled when it closes."""

    def __init__(self, runs: Runs, seconds: float) -> None:
        self._pulse, self._clock = runs.pulse, runs.clock
        self._opened, self._seconds = runs.clock.now(), seconds

    def __enter__(self) -> _Open:
        self._end = self._wake_after(self._seconds)
        self._arm()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._end.cancel()
        self._heartbeat.cancel()

    @property
    def over(self) -> bool:
        return self._pulse.closed or self._age() >= self._seconds

    def wait(self, beats: int) -> bool:
        """Wait for the next beat; says whether a heartbeat is due."""
        self._pulse.wait(beats)
        if self._age() < self._heartbeat_at:
            return False
        self._arm()
        return True

    def _arm(self) -> None:
        self._heartbeat_at = self._age() + _HEARTBEAT_SECONDS
        self._heartbeat = self._wake_after(_HEARTBEAT_SECONDS)

    def _wake_after(self, seconds: float) -> Timer:
        return self._clock.call_later(seconds, self._pulse.beat, "stream")

    def _age(self) -> float:
        return (self._clock.now() - self._opened).total_seconds()


def _silence(runs: Runs, seconds: float) -> Iterator[str]:
    with _Open(runs, seconds) as connection:
        yield _HEARTBEAT  # so that the headers go out
        while not connection.over:
            if connection.wait(runs.pulse.beats):
                yield _HEARTBEAT


def _events(runs: Runs, identity: str, position: int, seconds: float) -> Iterator[str]:
    """The events of one run from a position on, until the run closes or is deleted, or the connection is too old."""
    with _Open(runs, seconds) as connection:
        while True:
            beats = runs.pulse.beats
            try:
                position, closed = yield from _due(runs, identity, position)
            except ApiError:  # deleted, or the part has closed: there is nothing more to say
                return
            if closed:
                yield DONE
                return
            if connection.over:
                return
            if connection.wait(beats):
                yield _HEARTBEAT


def _due(runs: Runs, identity: str, position: int) -> Generator[str, None, tuple[int, bool]]:
    """Send what is due; the value is the position reached and whether the run has closed."""
    record, elapsed = runs.look(identity)
    frames = frames_of(record)
    while position < len(frames) and frames[position].at <= elapsed:
        frame = frames[position]
        yield from (raw for index, raw in record.plan.raw_frames if index == position)
        position += 1
        yield frame.text()
        if frame.closes:
            return position, True
    return position, position == len(frames) and position > 0 and frames[-1].closes
