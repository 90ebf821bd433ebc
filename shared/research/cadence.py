"""How long to wait before the next poll."""

from __future__ import annotations

from dataclasses import dataclass

POLLS_PER_ATTEMPT = 300
_FREE_POLLS = POLLS_PER_ATTEMPT // 2
_SHARE_OF_AGE = 0.1
_SHARE_WHEN_TOLD = 0.25


@dataclass(frozen=True)
class Cadence:
    """All in seconds: the first wait, the longest wait, how long one interaction may run, and the longest wait where
    the service tells of the end.
    """

    min_seconds: float
    max_seconds: float
    deadline_seconds: float
    net_seconds: float

    def wait_seconds(self, age_seconds: float, polls: int, *, told: bool = False) -> float:
        """A tenth of the run's age, within bounds, and never beyond the deadline; more where the end will be `told`.

        After half of the polls the rest is spread over what is left of the time, so that the number of polls never
        ends a run before its deadline, however short the waits were set.
        """
        left = max(self.deadline_seconds - age_seconds, 0.0)
        share, most = (_SHARE_WHEN_TOLD, self.net_seconds) if told else (_SHARE_OF_AGE, self.max_seconds)
        wait = min(max(self.min_seconds, age_seconds * share), most)
        if polls >= _FREE_POLLS:
            wait = max(wait, left / max(POLLS_PER_ATTEMPT - polls, 1))
        return max(min(wait, left), self.least_seconds)

    def soon_seconds(self, wait_seconds: float, since_wake_seconds: float, polls: int) -> float:
        """The same wait after a wake that has not shown the end: no longer than the wake is old, as statuses lag."""
        if polls >= _FREE_POLLS:
            return wait_seconds
        return min(wait_seconds, max(since_wake_seconds, self.least_seconds))

    @property
    def least_seconds(self) -> float:
        return min(self.min_seconds, 1.0)
