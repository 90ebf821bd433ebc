"""How much of each quota is used, set aside and left."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from shared.contracts.usage import QuotaState, UsageKind
from shared.contracts.workspaces import Quotas
from shared.store.usage import Book

SHOWN: Mapping[str, Callable[[float], str]] = {
    "runs": lambda amount: f"{amount:.0f} run" if amount == 1 else f"{amount:.0f} runs",
    "tokens": lambda amount: f"{amount:,.0f} tokens",
    "usd": lambda amount: f"{amount:,.2f} USD",
}
"""An amount of each quota in words."""


def states(quotas: Quotas, book: Book) -> dict[str, QuotaState]:
    """By the name of the quota: runs, tokens, usd. What work under way holds counts as reserved."""
    holds, totals = book.holds.values(), book.totals
    run = book.by_kind.get(UsageKind.RUN)
    return {
        "runs": _state(run.count if run else 0, sum(hold.kind is UsageKind.RUN for hold in holds), quotas.runs),
        "tokens": _state(totals.input_tokens + totals.output_tokens, sum(hold.tokens for hold in holds), quotas.tokens),
        "usd": _state(totals.usd, sum(hold.usd for hold in holds), quotas.usd),
    }


def _state(used: float, reserved: float, limit: float | None) -> QuotaState:
    if limit is None:
        return QuotaState(used=used, reserved=reserved)
    taken = used + reserved
    share = min(taken / limit, 1.0) if limit else 1.0
    return QuotaState(used=used, reserved=reserved, limit=limit, left=max(limit - taken, 0.0), share=share)
