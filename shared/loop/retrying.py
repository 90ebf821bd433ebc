"""Asking a model again where that may help: how often, and how long is waited before."""

from __future__ import annotations

import math
from typing import Protocol

from shared.errors import ModelOutputError, Transient
from shared.gateway.transport import Cut

TRIES = 3
"""How often one answer is asked for when the model fails in passing, or answers what is no answer."""
_WAIT_SECONDS = 30.0
_TELLING_SECONDS = 1.0
"""What a service that names no time is taken to have wished: it counts as no wish."""

Passing = Transient | ModelOutputError


class _Stoppable(Protocol):
    cut: Cut

    def check(self) -> None: ...


class Patience:
    """For one answer. `retry_seconds` is the first wait; each next one is twice as long."""

    def __init__(self, worker: _Stoppable, retry_seconds: float) -> None:
        self._worker, self._seconds, self._failures = worker, retry_seconds, 0

    def is_over(self) -> bool:
        """Whether the failure that has just come was the last. Raises Halted when the worker shall stop."""
        self._worker.check()  # a cut looks like a failure
        self._failures += 1
        return self._failures >= TRIES

    def wait(self, error: Passing, at_most_seconds: float = math.inf) -> None:
        """Before the next try; at once after an answer that was none. Raises Halted when the worker shall stop."""
        if isinstance(error, ModelOutputError):
            return
        wished = error.retry_after_seconds if error.retry_after_seconds > _TELLING_SECONDS else 0.0
        seconds = max(self._seconds * 2 ** (self._failures - 1), wished)
        self._worker.cut.wait(min(_WAIT_SECONDS, seconds, at_most_seconds))
        self._worker.check()
