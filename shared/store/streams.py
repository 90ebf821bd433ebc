"""Append-only event streams: one commit is at once the order, the fence and the end.

The parent document holds `seq`, the number of its last event; an append sets it together with the event
documents, on the condition that the parent has not been written since it was read. A commit whose answer was lost is
recognised by the writer's token, in the parent or in the event at the number it had tried.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from shared.clock import Clock
from shared.contracts.events import Event
from shared.errors import NotFound, Transient
from shared.ids import IdSource
from shared.store import guards, paths
from shared.store.database import Database, Query
from shared.store.errors import Contention, Uncertain
from shared.store.event_reading import event_of
from shared.store.event_size import fitted
from shared.store.stream_reading import StreamReading, last_seq, missing, seq_of
from shared.store.writes import Snapshot, Write, create, update

APPEND_TRIES = 12
APPEND_SECONDS = 25.0
"""No further try after this: whoever called is told while it can still answer."""


@dataclass(frozen=True)
class EventDraft:
    """An event before it has a number. After a terminal one the stream takes no other."""

    type: str
    data: Mapping[str, Any] = field(default_factory=dict)
    terminal: bool = False
    expires_in: timedelta | None = None
    """Set only for events that may be forgotten."""


@dataclass(frozen=True)
class Append:
    """What one commit does: fields of the parent to set, events to add, other documents to write."""

    update: Mapping[str, Any] = field(default_factory=dict)
    events: tuple[EventDraft, ...] = ()
    also: tuple[Write, ...] = ()


@dataclass(frozen=True)
class Appended:
    """The parent after the append, its new events, and whether anything was written."""

    fields: Mapping[str, Any]
    events: tuple[Event, ...]
    update_time: datetime
    changed: bool


Decide = Callable[[Snapshot], Append | None]


class Streams(StreamReading):
    """Reading and appending."""

    def __init__(self, database: Database, clock: Clock, ids: IdSource) -> None:
        super().__init__(database)
        self._clock, self._ids = clock, ids

    def append(self, parent: str, decide: Decide, *, point: str, create: bool = False) -> Appended:
        """Commit what `decide` answers to the parent's state of this moment; None writes nothing.

        `decide` is called again whenever another writer was faster, so whatever else it depends on it reads itself;
        what it raises (see guards) ends the append. It sees a parent without fields only with `create`; otherwise a
        missing parent raises NotFound. Raises StreamEnded for an event after the terminal one, and Transient when it
        did not get through in APPEND_TRIES tries or APPEND_SECONDS. An append without events that was applied, answered
        by silence and followed by another writer's is decided again: let `decide` look at the fields it would set.
        """
        writer = _Writer(self._database, self._clock, self._ids, parent)
        begun = self._clock.now()
        for attempt in range(APPEND_TRIES):
            if (self._clock.now() - begun).total_seconds() > APPEND_SECONDS:
                break
            if attempt:
                self._database.pause(min(attempt, 6))
            current = self._database.get(parent)
            applied = writer.applied(current)
            if applied is not None:
                return applied
            if current.fields is None and not create:
                raise missing(parent)
            decided = decide(current)
            if decided is None:
                return _unchanged(current)
            appended = writer.commit(current, decided, point)
            if appended is not None:
                return appended
        raise Transient(f"{parent} could not be written just now: try again.", retry_after_seconds=2.0)


class _Writer:
    """One append: its token and the numbers it has tried."""

    def __init__(self, database: Database, clock: Clock, ids: IdSource, parent: str) -> None:
        self._database, self._clock, self._parent = database, clock, parent
        self._token = ids.fresh()
        self._tried: list[int] = []
        self._sent = False
        self._floor = 0

    def applied(self, current: Snapshot) -> Appended | None:
        """What an earlier try of this writer did, if it was applied although its answer did not say so."""
        if not self._sent or current.fields is None or current.update_time is None:
            return None
        mine = self._events(current)
        if not mine and current.fields.get("last_writer") != self._token:
            return None
        return Appended(current.fields, tuple(mine), current.update_time, changed=True)

    def _events(self, current: Snapshot) -> list[Event]:
        for first in self._tried:
            taken = self._database.get(paths.event(self._parent, first))
            if taken.fields is None:
                continue
            if taken.fields.get("writer") == self._token:
                query = Query(limit=100, filters=(("seq", ">=", first),), orders=(("seq", "ASCENDING"),))
                found = self._database.query(f"{self._parent}/events", query)
                events = (event_of(one) for one in found)
                return [event for event in events if event is not None and event.writer == self._token]
            if first > seq_of(current.fields or {}):
                # The parent was replaced by someone who does not know of `seq`; the events know where they end.
                self._floor = last_seq(self._database, self._parent)
        return []

    def commit(self, current: Snapshot, decided: Append, point: str) -> Appended | None:
        """Try once; None when another was faster or nobody knows."""
        fields = current.fields or {}
        if decided.events:
            guards.open_stream(self._parent, fields)
        first = max(seq_of(fields), self._floor) + 1
        events = self._numbered(decided.events, first)
        change = dict(decided.update) | {"seq": first - 1 + len(events), "last_writer": self._token}
        if events and events[-1].terminal:
            change["stream_ended"] = True
        writes = [
            update(self._parent, change, current.update_time)
            if current.fields is not None
            else create(self._parent, change),
            *(create(paths.event(self._parent, event.seq), event.model_dump()) for event in events),
            *decided.also,
        ]
        self._sent = True
        if events and first not in self._tried:
            self._tried.append(first)
        try:
            moment = self._database.commit(writes, point)
        except (Contention, Uncertain, NotFound):
            return None
        return Appended({**fields, **change}, events, moment, changed=True)

    def _numbered(self, drafts: tuple[EventDraft, ...], first: int) -> tuple[Event, ...]:
        now = self._clock.now()
        owner = self._parent.rpartition("/")[2]
        return tuple(
            Event(
                id=f"{owner}-{seq}",
                seq=seq,
                type=draft.type,
                at=now,
                data=fitted(draft.data),
                writer=self._token,
                terminal=draft.terminal,
                expire_at=now + draft.expires_in if draft.expires_in else None,
            )
            for seq, draft in enumerate(drafts, first)
        )


def _unchanged(current: Snapshot) -> Appended:
    return Appended(current.fields or {}, (), current.update_time or current.read_time, changed=False)
