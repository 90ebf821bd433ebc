"""What a model can do, asked of its server once; a server that gives no answer is left alone for a while.

Each question to one that hangs takes seconds, and every answer of the model would wait for them again.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from shared.clock import Clock, SystemClock
from shared.errors import MemexError
from shared.gateway.transport import Cut
from shared.llm.port import Capabilities

LEFT_ALONE = timedelta(seconds=60)


class Known:
    """`ask` raises MemexError where there is no answer; until there is one, `unknown` has to do."""

    def __init__(self, ask: Callable[[Cut], Capabilities], unknown: Capabilities, clock: Clock | None = None) -> None:
        self._ask, self._unknown, self._clock = ask, unknown, clock or SystemClock()
        self._told: Capabilities | None = None
        self._failed_at: datetime | None = None

    def get(self, cut: Cut) -> Capabilities:
        """As the server tells, or has told; never raises. A question that was cut says nothing of the server."""
        if self._told is None and not self._left_alone():
            try:
                self._told = self._ask(cut)
            except MemexError:
                self._failed_at = None if cut.reason else self._clock.now()
        return self._told or self._unknown

    def _left_alone(self) -> bool:
        return self._failed_at is not None and self._clock.now() - self._failed_at < LEFT_ALONE
