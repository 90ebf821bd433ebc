"""Research plans: what is shown before money is spent, and what a person says to it."""

from __future__ import annotations

from pydantic import Field, StrictInt

from shared.contracts.base import Model, Stored, UtcDatetime
from shared.contracts.limits import PLAN_CHANGE_CHARACTERS, PLAN_CHARACTERS


class ResearchPlan(Stored):
    """The plan of an operation; what is approved is exactly `text`."""

    text: str
    """Markdown."""
    revision: int = 1
    """Rises with each edit and with each plan of the service, so that nothing is approved that nobody saw."""
    edited_by_person: bool = False
    drafts: int = 1
    """How many plans the service has made."""
    proposed_at: UtcDatetime
    expires_at: UtcDatetime
    """Left alone until then, the operation ends as cancelled."""
    interaction_id: str = ""
    """The interaction that made the newest draft; what follows continues it."""
    detached: bool = False
    """The service knows that interaction no more: the run gets the plan without it."""
    note_digest: str = ""
    """Of the note's title and body as they were planned for."""
    note_changed: bool = False
    """They are others now, and whoever approved knows: the run is told of the note as it is."""
    change: str = ""
    """What a person wanted to be different, while another plan is made."""
    estimate_low_usd: float = 0.0
    estimate_high_usd: float = 0.0
    """What the run that is to be approved may cost, at list price."""
    estimate_low_minutes: float = 0.0
    estimate_high_minutes: float = 0.0
    estimate_basis: str = ""
    """What the estimate rests on, as a sentence."""
    planning_usd: float = 0.0
    """What planning itself has cost so far, at list price."""
    approved_at: UtcDatetime | None = None
    approved_by: str = ""


class ResearchAsk(Model):
    """POST /api/v1/notes/{id}/research, which may have a body."""

    plan: bool | None = None
    """Whether the plan is shown first; absent: as the workspace, or RESEARCH_PLAN_FIRST, has it."""


class PlanEdit(Model):
    """PATCH /api/v1/operations/{id}/plan: another text."""

    text: str = Field(min_length=1, max_length=PLAN_CHARACTERS)
    revision: StrictInt
    """That of the plan as it was shown: one that was changed meanwhile is not edited over."""


class PlanChange(Model):
    """POST /api/v1/operations/{id}/plan: the service is to make another plan, with what is different in it."""

    change: str = Field(min_length=1, max_length=PLAN_CHANGE_CHARACTERS)
    revision: StrictInt


class PlanApproval(Model):
    """POST /api/v1/operations/{id}/approve."""

    revision: StrictInt
    text: str | None = Field(default=None, min_length=1, max_length=PLAN_CHARACTERS)
    """The plan with a last edit."""
    anyway: bool = False
    """Although the note was changed since the plan was made."""
