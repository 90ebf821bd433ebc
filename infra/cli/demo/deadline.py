"""An end to everything: what hangs is interrupted, and what hangs while it is interrupted is ended."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from infra.cli.errors import CliError

CLEAN_UP_SECONDS = 10.0


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raises CliError in the main thread after so many seconds; ends the process when that does not help either."""

    def last(number: int, frame: FrameType | None) -> None:
        os.write(2, b"memex: stopping took too long; ended.\n")
        os._exit(1)

    def first(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGALRM, last)
        signal.setitimer(signal.ITIMER_REAL, CLEAN_UP_SECONDS)
        hint = "Give it more with --timeout, if this machine is slow."
        raise CliError(f"The demonstration did not end within {seconds:g} s. {hint}", code="out_of_time")

    before = signal.signal(signal.SIGALRM, first)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
