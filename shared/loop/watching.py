"""Watching over a worker's hold: its lease is renewed while it works; it is stopped when the work is another's."""

from __future__ import annotations

from datetime import timedelta

from shared.clock import Clock
from shared.errors import MemexError, Transient
from shared.loop.drafts import EVERY_SECONDS, keep
from shared.loop.seat import Halted, Seat, Writing

LOOK_SECONDS = 0.5
"""A cancel by another process is noticed after so long; the worker's sockets are shut then."""
_RENEWED_AFTER = 0.25
"""Of the lease: a worker that has committed nothing for so long says that it lives."""


def watch(clock: Clock, seat: Seat) -> None:
    """Return when the worker has let go of the work; cut it when it has lost it. Runs beside the worker."""
    lease, pauses = timedelta(seconds=seat.lease_seconds), Pauses(seat)
    while not seat.over.is_set():
        clock.sleep(LOOK_SECONDS)
        if seat.over.is_set() or seat.ended or seat.cut.reason:
            return
        try:
            if not seat.owned():
                seat.cut.cut("lost")
            elif clock.now() - seat.renewed_at > lease * _RENEWED_AFTER:
                seat.renew()
            pauses.look()
        except Halted:
            return
        except Transient:
            if clock.now() - seat.renewed_at > lease:  # another may have it by now, and nobody can be asked
                seat.cut.cut("lost")
        except MemexError:  # what it works on is none any more
            seat.cut.cut("lost")


class Pauses:
    """Sees where the writing stands still, and stores once what is written up to there."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._seen: Writing = seat.writing
        self._seconds = 0.0

    def look(self) -> None:
        """To be called every LOOK_SECONDS."""
        if self._seat.writing is not self._seen:
            self._seen, self._seconds = self._seat.writing, 0.0
            return
        before, self._seconds = self._seconds, self._seconds + LOOK_SECONDS
        if before < EVERY_SECONDS <= self._seconds and self._seen.text:
            keep(self._seat, self._seen)
