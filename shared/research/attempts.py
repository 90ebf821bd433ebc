"""An operation's attempts: pure functions of its list of interactions."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from shared.contracts.operations import Attempt, Operation, Usage
from shared.research.statuses import verdict

FIRST, LOST_ANSWER, REPORT_PHASE_FAILURE = "first", "lost_answer", "report_phase_failure"
CREATING, REFUSED, LOST = "creating", "refused", "lost"


def current(operation: Operation) -> Attempt | None:
    """The last attempt of the present round; None before it has one."""
    made = _of_round(operation)
    return made[-1] if made else None


def _of_round(operation: Operation) -> list[Attempt]:
    return [attempt for attempt in operation.interactions if attempt.round == operation.round]


def is_running(attempt: Attempt | None) -> bool:
    """Whether there is an interaction to ask about: one with an id that is not known to have failed."""
    return attempt is not None and attempt.interaction_id is not None and attempt.status != "failed"


def is_told(operation: Operation) -> bool:
    """Whether the service was asked to tell of the end of the current interaction."""
    attempt = current(operation)
    return attempt is not None and attempt.webhook and is_running(attempt)


def may_run(operation: Operation) -> list[str]:
    """Ids of the interactions that are not known to have ended at the service."""
    named = ((attempt.interaction_id, attempt.status) for attempt in operation.interactions)
    return [name for name, status in named if name is not None and not verdict(status).ended]


def under_way(attempt: Attempt | None, now: datetime) -> float:
    """For how many seconds more another caller's create must be supposed to be under way; 0 when there is none."""
    if attempt is None or attempt.interaction_id is not None or attempt.status != CREATING:
        return 0.0
    return max((attempt.intent_expires_at - now).total_seconds(), 0.0)


def age_seconds(attempt: Attempt, now: datetime) -> float:
    """For how long the attempt's interaction has run, or its create."""
    return (now - (attempt.started_at or attempt.intent_at)).total_seconds()


def lost(operation: Operation) -> int:
    """How many creates gave no answer; one that is still "creating" counts, so ask `under_way` first."""
    return sum(attempt.status in (LOST, CREATING) for attempt in _of_round(operation))


def retried_after_failure(operation: Operation) -> bool:
    return any(attempt.reason == REPORT_PHASE_FAILURE for attempt in _of_round(operation))


def intended(operation: Operation, now: datetime, seconds: float, **what: Any) -> tuple[Attempt, ...]:
    """The attempts with a new intent at the end: after a refusal in its place, otherwise as one more.

    `what` are fields of the attempt: webhook, planning, note_digest.
    """
    last = current(operation)
    earlier = list(operation.interactions)
    if last is None:
        reason = FIRST
    elif last.status == REFUSED:
        reason = earlier.pop().reason
    elif last.interaction_id is not None:
        reason = REPORT_PHASE_FAILURE
    else:
        earlier[-1] = last.model_copy(update={"status": LOST})
        reason = LOST_ANSWER
    expires_at = now + timedelta(seconds=seconds)
    n, number = len(earlier) + 1, operation.round
    made = Attempt(n=n, round=number, reason=reason, intent_at=now, intent_expires_at=expires_at, **what)
    return (*earlier, made)


def with_current(operation: Operation, **changes: Any) -> dict[str, Any]:
    """The stored field `interactions` with these changes to the last attempt."""
    *earlier, last = operation.interactions
    return {"interactions": as_stored((*earlier, last.model_copy(update=changes)))}


def as_stored(attempts: tuple[Attempt, ...]) -> list[dict[str, Any]]:
    return [attempt.model_dump() for attempt in attempts]


def total(operation: Operation, latest: Usage) -> Usage:
    """The usage of all attempts, `latest` being that of the last one."""
    return sum((attempt.usage for attempt in operation.interactions[:-1]), latest)
