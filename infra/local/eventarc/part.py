"""Eventarc: reads the change log, stores a delivery for each trigger that matches, and has them delivered."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from infra.local.clock import Clock
from infra.local.eventarc.events import EVENT_BYTES, Change, Event, event_of, headers_of, hears
from infra.local.eventarc.lane import Deliver, DeliveryRequest, Lane, LaneSettings, RetryPolicy
from infra.local.eventarc.patterns import compiled, matches
from infra.local.eventarc.store import DeliveryStore, Due, Planned
from infra.local.faults import Faults
from infra.local.meter import Meter
from shared.contracts.manifest import FirestoreTrigger, FunctionRow

log = logging.getLogger(__name__)
BATCH = 200
TIDY_EVERY = 1000
KEPT_CHANGES = 20_000
"""Changes that stay in the log behind us: the database answers reads of past moments from them."""


class Changes(Protocol):
    """The change log of the database."""

    def after(self, seq: int, limit: int) -> Sequence[Change]: ...

    def subscribe(self, poke: Any) -> None: ...

    def prune(self, before_seq: int) -> None: ...


@dataclass(frozen=True)
class EventarcSettings:
    """What eventarc is told: the triggers, where it runs, how patient it is."""

    rows: Sequence[FunctionRow]
    project: str = "memex-local"
    database: str = "(default)"
    location: str = "us-central1"
    policy: RetryPolicy = RetryPolicy()

    def watches(self, name: str) -> bool:
        """Whether a document lies in the database of the triggers."""
        return name.startswith(f"projects/{self.project}/databases/{self.database}/documents/")


@dataclass(frozen=True)
class _Trigger:
    row: FunctionRow
    trigger: FirestoreTrigger

    def fits(self, event: Event) -> bool:
        return hears(self.trigger.event, event.kind) and matches(self.trigger.document, event.path)


class EventarcPart:
    """Delivers every change to every function whose trigger matches: at least once, in no order.

    An event has one id however many functions hear of it. Deliveries and the place in the change log are one
    transaction, so a crash loses nothing and repeats at most what was under way.
    """

    def __init__(self, data_dir: Path, clock: Clock, meter: Meter, settings: EventarcSettings, faults: Faults) -> None:
        self._store = DeliveryStore(data_dir / "eventarc.sqlite")
        self._clock, self._meter, self._faults = clock, meter, faults
        self._settings = settings
        self._triggers = [_Trigger(r, r.trigger) for r in settings.rows if isinstance(r.trigger, FirestoreTrigger)]
        for trigger in self._triggers:
            compiled(trigger.trigger.document)
        self._lanes: dict[str, Lane] = {}
        self._pump = threading.Lock()
        self._asked = threading.Event()
        self._changes: Changes | None = None
        self._since_tidy = 0

    def start(self, changes: Changes, deliver: Deliver) -> None:
        """Go on where the last run ended: undelivered events, then what has changed since."""
        self._changes = changes
        for trigger in self._triggers:
            self._lanes[trigger.row.name] = Lane(self._lane_settings(trigger, deliver), self._store, self._clock)
        changes.subscribe(self.poke)
        self.poke()
        for lane in self._lanes.values():
            lane.poke()

    def poke(self) -> None:
        """There may be something new in the change log. Cheap, never raises, may be called from any thread."""
        if not self._asked.is_set():
            self._asked.set()
            self._clock.spawn(self._read, "eventarc")

    def deliveries(self, limit: int = 100, state: str = "") -> list[dict[str, Any]]:
        """The newest deliveries as JSON: function, document, state, attempts, last_status, last_error.

        `state` is "pending", "delivered" or "dropped"; without it all are meant.
        """
        return self._store.recent(limit, state)

    def counts(self) -> dict[str, dict[str, int]]:
        """Deliveries by function and state: pending, delivered, "dropped: …"."""
        return self._store.counts()

    def deliver_now(self, delivery: int) -> bool:
        """Let a pending delivery not wait for its next try; False when it is not pending, or functions are off."""
        function = self._store.expedite(delivery, self._clock.now())
        lane = self._lanes.get(function or "")
        if lane is None:
            return False
        lane.poke()
        return True

    @contextmanager
    def forgetting(self, last_seq: Callable[[], int]) -> Iterator[None]:
        """While the block runs no change becomes a delivery; then all deliveries and changes so far are forgotten.

        `last_seq` gives the number of the newest change. A delivery under way is not cut short.
        """
        with self._pump:
            yield
            self._store.forget(last_seq())

    @property
    def idle(self) -> bool:
        """Whether every change was seen and no delivery is pending."""
        behind = self._changes is not None and bool(self._changes.after(self._store.place(), 1))
        return not behind and not any(states.get("pending") for states in self._store.counts().values())

    def close(self) -> None:
        """Idempotent."""
        for lane in self._lanes.values():
            lane.close()
        self._changes = None
        with self._pump:
            self._store.close()

    def _read(self) -> None:
        """Turn all that is new into deliveries."""
        with self._pump:
            self._asked.clear()  # before reading: a change after this line asks again
            while self._changes is not None and (batch := self._changes.after(self._store.place(), BATCH)):
                functions = self._plan(batch)
                for function in sorted(functions):
                    self._lanes[function].poke()
                self._tidy(batch)

    def _plan(self, batch: Sequence[Change]) -> set[str]:
        now = self._clock.now()
        planned: list[Planned] = []
        for change in batch:
            if not self._settings.watches(change.name):
                continue
            event = event_of(change)
            for trigger in self._triggers:
                if trigger.fits(event):
                    planned += self._planned(trigger, event)
        self._store.add(planned, batch[-1].seq, now)
        return {delivery.function for delivery in planned}

    def _planned(self, trigger: _Trigger, event: Event) -> list[Planned]:
        """The deliveries of an event to one function: one, unless a fault wants more or none."""
        function, kind, now = trigger.row.name, trigger.trigger.event, self._clock.now()
        if len(event.data) > EVENT_BYTES:
            log.warning("the event of %s has %d bytes and is dropped: the limit is 512 KB", event.path, len(event.data))
            return [Planned(event, function, kind, now, "dropped: over 512 KB")]
        fault = self._faults.event(function)
        if fault.drop:
            return [Planned(event, function, kind, now, "dropped: a fault")]
        self._meter.add("eventarc", "events")
        due = now + timedelta(seconds=fault.delay_seconds)
        return [Planned(event, function, kind, due) for _ in range(1 + fault.copies)]

    def _tidy(self, batch: Sequence[Change]) -> None:
        """The log may forget what has become deliveries, and old deliveries may go too."""
        self._since_tidy += len(batch)
        if self._since_tidy >= TIDY_EVERY and self._changes is not None:
            self._since_tidy = 0
            self._changes.prune(batch[-1].seq - KEPT_CHANGES)
            self._store.tidy()

    def _lane_settings(self, trigger: _Trigger, deliver: Deliver) -> LaneSettings:
        return LaneSettings(
            function=trigger.row.name,
            concurrency=trigger.row.concurrency,
            retry=trigger.trigger.retry,
            policy=self._settings.policy,
            request=partial(_request, location=self._settings.location),
            deliver=deliver,
        )


def _request(due: Due, location: str) -> DeliveryRequest:
    headers = headers_of(due.event, due.event_type, location)
    return DeliveryRequest(due.function, headers, due.event.data, due.attempts + 1)
