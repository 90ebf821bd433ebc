"""Workspaces: what each may use, and how much of it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from pydantic import Field

from shared.contracts.base import Stored, UtcDatetime


class Plan(StrEnum):
    """What a workspace was given: `free` has notes, chat, research and the brain, `pro` has agent runs too."""

    FREE = "free"
    PRO = "pro"


class Feature(StrEnum):
    """What can be switched off for one workspace."""

    AGENT_RUNS = "agent_runs"
    BRAIN = "brain"


class Quotas(Stored):
    """How much a workspace may use in a month (UTC); None is no limit of its own."""

    runs: int | None = Field(default=None, ge=0)
    tokens: int | None = Field(default=None, ge=0)
    """Input and output, of everything: chat, research, runs."""
    usd: float | None = Field(default=None, ge=0)
    """List price, of everything."""


class Workspace(Stored):
    """workspaces/{workspace}: its plan, what is switched off in it, and quotas that stand in for those of the plan.

    A workspace without a document is one of the plan `free`.
    """

    name: str = ""
    plan: Plan = Plan.FREE
    features: Mapping[str, bool] = Field(default_factory=dict)
    """{feature: whether it is on}; what is not named is as the plan has it."""
    quotas: Quotas = Quotas()
    research_plan_first: bool | None = None
    """Whether a plan is shown before research is paid for; None: as RESEARCH_PLAN_FIRST has it."""
    created_at: UtcDatetime | None = None
    """None for one that came to be with the first thing that was written into it."""
    created_by: str = ""
