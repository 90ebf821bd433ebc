"""Waiting for a condition, with a deadline."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_SECONDS = 120.0
"""For what is there in a moment, on a machine that may be busy with much else."""


def wait_until(condition: Callable[[], object], seconds: float = PATIENCE_SECONDS, what: str = "the condition") -> None:
    """Return once `condition()` is true. Raises TimeoutError."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what} did not come true within {seconds} s")
        time.sleep(0.01)
