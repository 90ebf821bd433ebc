"""Follows an event stream over SSE: resumes where a connection broke, repeats nothing, ends at the terminal event."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from infra.cli.client import ApiClient, Unreachable
from infra.cli.errors import CliError

TERMINAL = frozenset({"completed", "failed", "cancelled"})
SILENCE_SECONDS = 45.0
"""Three heartbeats of the server missed."""
GIVE_UP_SECONDS = 60.0
"""How long a server may be away before following it ends."""
PAUSE_SECONDS = 0.5


class OutOfTime(CliError):
    """The time given to follow a stream is over; the work may still go on."""

    exit_code = 4


def records(chunks: Iterable[bytes]) -> Iterator[dict[str, str]]:
    """The records of an SSE body as {"id", "event", "data", "retry"}, what of it they have; {} for a comment."""
    record: dict[str, str] = {}
    for line in _lines(chunks):
        if not line:
            if record:
                yield record
            record = {}
            continue
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not name:
            yield {}
        elif name == "data" and "data" in record:
            record["data"] += "\n" + value
        else:
            record[name] = value


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line.removesuffix(b"\r").decode("utf-8", "replace")


@dataclass(frozen=True)
class Followed:
    """What has a stream: where it is, under which name its document is answered, and how it and its stream end."""

    path: str
    name: str
    ends: frozenset[str] = TERMINAL
    """Statuses of the document that are never left."""
    last: frozenset[str] = TERMINAL
    """Types of the last event."""
    pauses: frozenset[str] = frozenset()
    """Types of events after which it may have ended, although its stream has not."""


class Follower:
    """The events of one stream, in order and each once, over as many connections as it takes."""

    def __init__(
        self,
        client: ApiClient,
        followed: Followed,
        *,
        after: int = 0,
        limit_seconds: float | None = None,
        away: Callable[[], None] = lambda: None,
    ) -> None:
        """`away` is called once each time the server is found to be away."""
        self._client, self._clock = client, client.clock
        self._followed = followed
        self._cursor = after
        self._end = None if limit_seconds is None else self._clock.now() + timedelta(seconds=limit_seconds)
        self._limit_seconds = limit_seconds
        self._away_since: datetime | None = None
        self._away = away
        self.resumed = 0
        """How often a connection broke or ended before its time and was taken up again."""

    def events(self) -> Iterator[dict[str, Any]]:
        """Envelopes as they come. Raises OutOfTime, CliError when refused, Unreachable when the server stays away."""
        while True:
            try:
                for event in self._connection():
                    yield event
                    if event["type"] in self._followed.last:
                        return
                    if event["type"] in self._followed.pauses and self._ended():
                        return
                self._check_time()
                if self._ended():
                    return
                self._away_since = None
            except Unreachable:
                self._check_time()  # a connection that was cut at the limit shows nobody to be away
                if self._away_since is None:
                    self._away_since = self._clock.now()
                    self._away()
                if self._clock.now() - self._away_since > timedelta(seconds=GIVE_UP_SECONDS):
                    raise
            self.resumed += 1
            self._check_time()
            self._clock.sleep(PAUSE_SECONDS)

    def _connection(self) -> Iterator[dict[str, Any]]:
        stream = self._client.stream(
            f"{self._followed.path}/events",
            after=self._cursor,
            silence_seconds=SILENCE_SECONDS,
            limit_seconds=self._left(),
        )
        with stream as chunks:
            for record in records(chunks):
                self._away_since = None  # a heartbeat too shows that the server is there
                self._check_time()
                if "data" not in record:
                    continue
                event = json.loads(record["data"])
                if event["seq"] > self._cursor:
                    self._cursor = event["seq"]
                    yield event

    def _ended(self) -> bool:
        """Whether it has ended and has no event after the cursor."""
        document = self._client.get(self._followed.path)[self._followed.name]
        return document["status"] in self._followed.ends and document.get("seq", 0) <= self._cursor

    def _left(self) -> float | None:
        return None if self._end is None else max(0.0, (self._end - self._clock.now()).total_seconds())

    def _check_time(self) -> None:
        if self._end is not None and self._clock.now() >= self._end:
            raise OutOfTime(f"Still running after {self._limit_seconds:g} s.", code="out_of_time")
