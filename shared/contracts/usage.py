"""What a workspace has used: counted once for each piece of work that ended, and what work under way may still use."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from pydantic import Field

from shared.contracts.base import Model, Stored, UtcDatetime
from shared.contracts.workspaces import Plan, Quotas

USAGE_SHARDS = 8
"""Documents that one month's sums are spread over: one document takes about one write a second for long."""


class UsageKind(StrEnum):
    """What was worked on."""

    CHAT = "chat"
    RESEARCH = "research"
    RUN = "run"
    BRAIN = "brain"
    ENRICH = "enrich"
    """Summaries and suggested tags of notes."""
    ROUTINE = "routine"
    """Digests and reviews that no turn asked for."""


class UsageSums(Stored):
    """Sums of one kind in one shard; money in millionths of a USD, so that it adds up exactly in any order."""

    count: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    searches: int = 0
    usd_micros: int = 0


class UsageShard(Stored):
    """workspaces/{workspace}/usage/{yyyy-mm}/shards/{n}: its part of the month's sums, by kind."""

    kinds: Mapping[str, UsageSums] = Field(default_factory=dict)


class Hold(Stored):
    """What a piece of work that was let in may still use; it counts until it is counted as used, or runs out."""

    kind: UsageKind
    tokens: int = 0
    usd: float = 0.0
    settled: bool = False
    """The work has ended, and these are the real figures."""
    expires_at: UtcDatetime


class Spending(Stored):
    """workspaces/{workspace}/leases/spending: the holds by the id of their work, an operation's or a run's."""

    holds: Mapping[str, Hold] = Field(default_factory=dict)


class UsageTotals(Model):
    """What was used: how many pieces of work, tokens as they are billed, searches, and the list price."""

    count: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    searches: int = 0
    usd: float = 0.0


class QuotaState(Model):
    """One quota: `limit` None is without limit, and then nothing is left or shared out."""

    used: float
    reserved: float
    """Set aside for work under way."""
    limit: float | None = None
    left: float | None = None
    share: float | None = None
    """Used and reserved, as a part of the limit; 1 where it is used up."""


class UsageAnswer(Model):
    """GET /api/v1/usage: a month of a workspace. Work is counted when it has ended, within seconds as a rule.

    Of a month that is over nothing is reserved any more, and nothing is warned of.
    """

    month: str
    """yyyy-mm, UTC."""
    renews_at: UtcDatetime
    """When the next month begins."""
    plan: Plan
    features: Mapping[str, bool]
    totals: UsageTotals
    by_kind: Mapping[UsageKind, UsageTotals]
    quotas: Quotas
    """As they hold for this workspace: its own, else those of its plan, else those of the settings."""
    left: Quotas
    states: Mapping[str, QuotaState]
    """By the name of the quota: runs, tokens, usd."""
    warnings: tuple[str, ...] = ()
    """A sentence for each quota of which four fifths are used or set aside."""
    prices_as_of: str
