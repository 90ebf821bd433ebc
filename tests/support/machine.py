"""How slow this machine is just now: limits of real time are those of a machine that has nothing else to do."""

from __future__ import annotations

import time

SAMPLE_SECONDS = 0.05


def stretched(seconds: float) -> float:
    """As many times longer as this thread waits for its turn to compute, measured now; never shorter."""
    begun, spent = time.monotonic(), time.thread_time()
    while time.thread_time() - spent < SAMPLE_SECONDS:
        pass
    return seconds * max(1.0, (time.monotonic() - begun) / SAMPLE_SECONDS)
