"""Routines: what Memex writes by itself, by day and by week."""

from __future__ import annotations

from enum import StrEnum

from pydantic import ConfigDict

from shared.contracts.base import Model, Stored, UtcDatetime
from shared.contracts.operations import Usage


class RoutineKind(StrEnum):
    """`digest` tells of a day, `review` of a week."""

    DIGEST = "digest"
    REVIEW = "review"


class RoutineLease(Stored):
    """workspaces/{workspace}/leases/routine-{kind}-{period}: no two runs pay for the same note at once."""

    held_until: UtcDatetime | None = None
    """Until then a run is at it (judged by the server's read time)."""
    done: bool = False
    """The schedule has nothing more to do for this period."""
    without_model: bool = False
    """The note has its list and no text, since the model failed in passing: a later run tries again."""
    expire_at: UtcDatetime | None = None


class RoutineRequest(Model):
    """POST routine, by the scheduler with the kind in its message, or for one workspace; then for all of them."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    kind: RoutineKind | None = None
    """Without one: the digest, and on a Monday the review too."""
    workspace: str | None = None


class RoutineRunAnswer(Model):
    """What a run wrote. `created` is False when the period's note was there before, or there was nothing to tell."""

    kind: RoutineKind
    period: str
    """A day such as 2026-11-30, or a week such as 2026-W48."""
    note_id: str | None
    created: bool
    approvals: tuple[str, ...] = ()
    """Changes that it proposes."""
    message: str = ""
    usage: Usage = Usage()


class RoutinesAnswer(Model):
    """What the scheduled function did, in all workspaces it came to."""

    notes: int
    proposals: int
    failed: int
    failures: tuple[str, ...] = ()
    out_of_time: bool = False
