"""Running a tool within its time: in a thread of its own, left behind when the time is over or the turn is cut.

A thread cannot be ended from outside. What it still does is harmless: its effect has a key, and happens once at most.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from shared.errors import MemexError, Transient
from shared.gateway.transport import Cut, TransportError
from shared.telemetry.context import carried

_LOOK_SECONDS = 0.05

Work = Callable[[Cut], Mapping[str, Any]]


class TimedOut(MemexError):
    """It took longer than it may; whether it still happens is not known, so it is not made again by us."""

    status, code = 504, "timed_out"


def bounded(work: Work, cut: Cut, seconds: float) -> Mapping[str, Any]:
    """What `work` answers, given a handle that ends with `cut`. Raises what it raises, TimedOut, TransportError."""
    with cut.inner() as handle:
        running = _Running(work, handle)
        threading.Thread(target=carried(running.run), name="tool", daemon=True).start()
        left = seconds
        while not running.ended.wait(_LOOK_SECONDS):
            left -= _LOOK_SECONDS
            if cut.reason:
                raise TransportError(cut.reason, f"The call was ended: {cut.reason}.", sent=True)
            if left <= 0:
                handle.cut("deadline")
                raise TimedOut(f"It took longer than {seconds:g} seconds and was given up; look whether it happened.")
    if running.failure is not None:
        raise running.failure
    return running.answer


class _Running:
    def __init__(self, work: Work, cut: Cut) -> None:
        self._work, self._cut = work, cut
        self.answer: Mapping[str, Any] = {}
        self.failure: BaseException | None = None
        self.ended = threading.Event()

    def run(self) -> None:
        try:
            self.answer = self._work(self._cut)
        except BaseException as failure:  # noqa: BLE001 - handed to the thread that waits for it
            self.failure = failure
        finally:
            self.ended.set()


def again(work: Callable[[], Mapping[str, Any]], cut: Cut, *, repeatable: bool) -> Mapping[str, Any]:
    """`work`, and once more where it failed in passing, may be repeated, and was not ended by `cut`."""
    try:
        return work()
    except Transient as failure:
        ended = cut.reason or (isinstance(failure, TransportError) and failure.reason == "deadline")
        if ended or not repeatable:
            raise
    return work()
