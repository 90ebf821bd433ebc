"""How long to wait before the next poll."""

from __future__ import annotations

from dataclasses import dataclass

POLLS_PER_ATTEMPT = 300
_FREE_POLLS = POLLS_PER_ATTEMPT // 2
_SHARE_OF_AGE = 0.1


@dataclass(frozen=True)
class Cadence:
    """All in seconds: the first wait, the longest wait, and how long one interaction may run."""

    min_seconds: float
    max_seconds: float
    deadline_seconds: float

    def wait_seconds(self, age_seconds: float, polls: int) -> float:
        """A tenth of the run's age, within bounds, and never beyond the deadline.

        After half of the polls the rest is spread over what is left of the time, so that the number of polls never
        ends a run before its deadline, however short the waits were set.
        """
        left = max(self.deadline_seconds - age_seconds, 0.0)
        wait = min(max(self.min_seconds, age_seconds * _SHARE_OF_AGE), self.max_seconds)
        if polls >= _FREE_POLLS:
            wait = max(wait, left / max(POLLS_PER_ATTEMPT - polls, 1))
        return max(min(wait, left), min(self.min_seconds, 1.0))
