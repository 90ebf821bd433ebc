"""An end to everything: what hangs is interrupted, and what hangs while it is interrupted is ended."""

from __future__ import annotations

import faulthandler
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from infra.cli.errors import CliError

CLEAN_UP_SECONDS = 10.0


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raises CliError in the main thread after so many seconds; the process then ends within CLEAN_UP_SECONDS more.

    The error comes at any point, so what it interrupts may stay half done, a thread unjoined: whatever the end of the
    process then waits for, it does not wait for ever. For a command's own process, which ends with the command.
    """
    passed: list[bool] = []

    def last(number: int, frame: FrameType | None) -> None:
        os.write(2, b"memex: stopping took too long; ended.\n")
        os._exit(1)

    def first(number: int, frame: FrameType | None) -> None:
        passed.append(True)
        signal.signal(signal.SIGALRM, last)
        signal.setitimer(signal.ITIMER_REAL, CLEAN_UP_SECONDS)
        # Where no Python code runs any more, neither does a handler: this ends the process from a thread of its own.
        faulthandler.dump_traceback_later(2 * CLEAN_UP_SECONDS, exit=True)
        hint = "Give it more with --timeout, if this machine is slow."
        raise CliError(f"The demonstration did not end within {seconds:g} s. {hint}", code="out_of_time")

    before = signal.signal(signal.SIGALRM, first)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        if not passed:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
