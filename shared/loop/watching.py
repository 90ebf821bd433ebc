"""Watching over a worker's hold: its lease is renewed while it works; it is stopped when the work is another's."""

from __future__ import annotations

from datetime import timedelta

from shared.clock import Clock
from shared.errors import MemexError, Transient
from shared.loop.seat import Halted, Seat

LOOK_SECONDS = 0.5
"""A cancel by another process is noticed after so long; the worker's sockets are shut then."""
_RENEWED_AFTER = 0.25
"""Of the lease: a worker that has committed nothing for so long says that it lives."""


def watch(clock: Clock, seat: Seat) -> None:
    """Return when the worker has let go of the work; cut it when it has lost it. Runs beside the worker."""
    lease = timedelta(seconds=seat.lease_seconds)
    while not seat.over.is_set():
        clock.sleep(LOOK_SECONDS)
        if seat.over.is_set() or seat.ended or seat.cut.reason:
            return
        try:
            if not seat.owned():
                seat.cut.cut("lost")
            elif clock.now() - seat.renewed_at > lease * _RENEWED_AFTER:
                seat.renew()
        except Halted:
            return
        except Transient:
            if clock.now() - seat.renewed_at > lease:  # another may have it by now, and nobody can be asked
                seat.cut.cut("lost")
        except MemexError:  # what it works on is none any more
            seat.cut.cut("lost")
