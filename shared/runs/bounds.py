"""What one step may use up, and what it says when it ends there."""

from __future__ import annotations

from datetime import datetime, timedelta

from shared.clock import Clock
from shared.contracts.runs import Budget
from shared.loop.bounds import Reached
from shared.loop.seat import Progress
from shared.runs.budgets import used_by

_UNBOUNDED = timedelta(hours=1)


class StepBounds:
    """The budget that the run has granted, the iterations of the settings, and the deadline of the run."""

    def __init__(self, budget: Budget, iterations: int, deadline_at: datetime | None, clock: Clock) -> None:
        self.calls = budget.calls
        self._budget, self._iterations, self._deadline, self._clock = budget, iterations, deadline_at, clock

    def reached(self, progress: Progress) -> Reached | None:
        used = used_by(progress.usage, progress.calls)
        if progress.calls > self.calls:
            return Reached("calls", f"Stopped here: this step may make {self.calls} tool calls.")
        if progress.iteration >= self._iterations:
            return Reached("iterations", f"Stopped after {self._iterations} answers, before an end.")
        if used.tokens >= self._budget.tokens:
            return Reached("tokens", f"Stopped here: this step has used its {self._budget.tokens:,} tokens.")
        if used.usd >= self._budget.usd:
            return Reached("usd", f"Stopped here: this step has used its {self._budget.usd:.2f} USD.")
        if self.left_seconds(progress) <= 0:
            return Reached("time", "Stopped here: the time of the run is over.")
        return None

    def left_seconds(self, _progress: Progress) -> float:
        now = self._clock.now()
        return ((self._deadline or now + _UNBOUNDED) - now).total_seconds()
