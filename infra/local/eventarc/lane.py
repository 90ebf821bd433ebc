"""The deliveries to one function: as many at once as it takes, each again until it is acknowledged."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from infra.local.clock import Clock, Timer
from infra.local.eventarc.store import DeliveryStore, Due

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class DeliveryRequest:
    """A POST to be made to a function."""

    function: str
    headers: dict[str, str]
    body: bytes
    attempt: int = 1


class NotDelivered(Exception):
    """The function could not be reached, or closed the connection; the message says how."""


Deliver = Callable[[DeliveryRequest], int]
"""Makes the POST and returns the HTTP status, or raises NotDelivered."""


@dataclass(frozen=True)
class RetryPolicy:
    """Exponential backoff between two bounds, for a day. Production's lower bound is 10 s."""

    min_seconds: float = 1.0
    max_seconds: float = 600.0
    window: timedelta = timedelta(hours=24)

    def pause(self, attempts: int) -> float:
        """How long to wait after so many failed attempts, at least one."""
        return min(self.max_seconds, self.min_seconds * 2.0 ** min(attempts - 1, 30))


@dataclass(frozen=True)
class LaneSettings:
    """One function's lane; `request` makes the POST of a delivery."""

    function: str
    concurrency: int
    retry: bool
    policy: RetryPolicy
    request: Callable[[Due], DeliveryRequest]
    deliver: Deliver


@dataclass
class _State:
    in_hand: set[int] = field(default_factory=set)
    timer: Timer | None = None
    closed: bool = False


class Lane:
    """Delivers to one function what the store has pending for it."""

    def __init__(self, settings: LaneSettings, store: DeliveryStore, clock: Clock) -> None:
        self._settings, self._store, self._clock = settings, store, clock
        self._lock = threading.Lock()
        self._state = _State()

    def poke(self) -> None:
        """Take in hand what is due, and set the timer for what will be."""
        with self._lock:
            if self._state.closed:
                return
            now = self._clock.now()
            free = self._settings.concurrency - len(self._state.in_hand)
            taken = self._store.due(self._settings.function, now, free, list(self._state.in_hand)) if free > 0 else []
            self._state.in_hand.update(due.id for due in taken)
            self._set_timer(now)
        for due in taken:
            self._clock.spawn(lambda due=due: self._attempt(due), f"deliver to {due.function}")  # type: ignore[misc]

    def close(self) -> None:
        with self._lock:
            self._state.closed = True
            if self._state.timer is not None:
                self._state.timer.cancel()

    def _set_timer(self, now: datetime) -> None:
        timer, moment = self._state.timer, self._store.next_due(self._settings.function, now)
        if moment is None or (timer is not None and now < timer.due <= moment):
            return
        if timer is not None:
            timer.cancel()
        wait = (moment - now).total_seconds()
        self._state.timer = self._clock.call_later(wait, self.poke, f"next delivery to {self._settings.function}")

    def _attempt(self, due: Due) -> None:
        status, error = self._posted(due)
        with self._lock:
            if self._state.closed:
                return  # it is delivered again at the next start
            self._state.in_hand.discard(due.id)
            self._record(due, status, error)
        self.poke()

    def _posted(self, due: Due) -> tuple[int, str | None]:
        """The HTTP status, 0 when there was none, and what went wrong."""
        try:
            status = self._settings.deliver(self._settings.request(due))
        except NotDelivered as error:
            return 0, str(error)
        return status, None if 200 <= status < 300 else f"HTTP {status}"

    def _record(self, due: Due, status: int, error: str | None) -> None:
        now = self._clock.now()
        if error is None:
            self._store.end(due, "delivered", now, status, None)
            return
        if not self._settings.retry:
            self._give_up(due, "dropped: no retry", status, error)
            return
        until = now + timedelta(seconds=self._settings.policy.pause(due.attempts + 1))
        if until - due.created_at > self._settings.policy.window:
            self._give_up(due, "dropped: retried for too long", status, error)
            return
        log.info("delivery %s to %s failed (%s), next attempt at %s", due.event.id, due.function, error, until)
        self._store.postpone(due, until, status, error)

    def _give_up(self, due: Due, state: str, status: int, error: str) -> None:
        log.warning("event %s for %s of %s: %s (%s)", due.event.id, due.function, due.event.path, state, error)
        self._store.end(due, state, self._clock.now(), status, error)
