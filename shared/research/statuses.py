"""What each status of an interaction means for its operation: one table, with an answer for the ones nobody knows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Decision(Enum):
    """WAIT is always bounded by the attempt's deadline; FAIL keeps what text there is as a partial note."""

    WAIT = "wait"
    REPORT = "report"
    FAIL = "fail"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class Verdict:
    """`ended` tells whether the service's side is over; where it is not and we are, the interaction is cancelled."""

    decision: Decision
    ended: bool
    code: str = ""
    message: str = ""
    known: bool = True


_WAIT = Verdict(Decision.WAIT, ended=False)

_TABLE = {
    "in_progress": _WAIT,
    "queued": _WAIT,
    "idle": _WAIT,
    "requires_action": Verdict(
        Decision.FAIL,
        False,
        "requires_action",
        "The agent asked its caller for an action, which research cannot give. Tag the note again to start anew.",
    ),
    "requires_continuation": Verdict(
        Decision.FAIL,
        False,
        "requires_continuation",
        "The agent stopped for a continuation, which research does not give. Tag the note again to start anew.",
    ),
    "completed": Verdict(Decision.REPORT, True),
    "failed": Verdict(Decision.FAIL, True, "interaction_failed", "The research run failed. Tag the note again later."),
    "cancelled": Verdict(
        Decision.CANCELLED, True, "interaction_cancelled", "The research run was cancelled at the service."
    ),
    "incomplete": Verdict(
        Decision.FAIL,
        True,
        "incomplete",
        "The research run ended before it was complete. Narrow the note's question and tag it again.",
    ),
    "budget_exceeded": Verdict(
        Decision.FAIL,
        True,
        "budget_exceeded",
        "The research run used up its budget. Narrow the note's question or raise the budget, then tag it again.",
    ),
}


def verdict(status: str) -> Verdict:
    """The answer to a status; an unknown one is waited on, like a run in progress, and marked as not known."""
    return _TABLE.get(status) or Verdict(Decision.WAIT, ended=False, known=False)


HARD_FAILURE_CODE = "13"
"""The service's INTERNAL, with which runs fail while they write their report."""
