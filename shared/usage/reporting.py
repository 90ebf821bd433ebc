"""What a workspace has used in a month, next to what it may."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from shared.contracts.prices import AS_OF
from shared.contracts.usage import QuotaState, UsageAnswer
from shared.contracts.workspaces import Quotas
from shared.store.workspace import WorkspaceStore
from shared.usage.months import month_after, month_of
from shared.usage.plans import Allowance
from shared.usage.quotas import SHOWN, states

WARNED_SHARE = 0.8


def report(store: WorkspaceStore, allowance: Allowance, now: datetime, month: str | None = None) -> UsageAnswer:
    """The month's usage, the present one's without a `month`. Raises Malformed, Transient."""
    present = month_of(now)
    month = month or present
    book = store.usage.book(month)
    if month != present:
        book = replace(book, holds={})
    found = states(allowance.quotas, book)
    return UsageAnswer(
        month=month,
        renews_at=month_after(month),
        plan=allowance.workspace.plan,
        features=allowance.features,
        totals=book.totals,
        by_kind=book.by_kind,
        quotas=allowance.quotas,
        left=_left(found),
        states=found,
        warnings=_warnings(found, month) if month == present else (),
        prices_as_of=AS_OF,
    )


def _left(found: dict[str, QuotaState]) -> Quotas:
    return Quotas.model_validate({name: state.left for name, state in found.items()})


def _warnings(found: dict[str, QuotaState], month: str) -> tuple[str, ...]:
    renews = f"{month_after(month):%Y-%m-%d} (UTC)"
    sentences = []
    for name, state in found.items():
        if state.limit is None or state.share is None or state.share < WARNED_SHARE:
            continue
        limit = SHOWN[name](state.limit)
        if state.share < 1:
            sentences.append(f"{state.share:.0%} of the month's {limit} are used or set aside, until {renews}.")
        else:
            sentences.append(f"The month's {limit} are used up or set aside: {_STOPS[name]} until {renews}.")
    return tuple(sentences)


_STOPS = {
    "runs": "no agent run begins",
    "tokens": "no agent run begins",
    "usd": "no agent run and no research begins",
}
