"""The gate before work that costs: is it allowed, and is there room for it in the month's quotas?

The contract, for whoever begins such work (an agent run, a research run):

    spending.reserve(workspace, UsageKind.RUN, run_id, Amount(tokens, usd), seconds=…)   before it begins
    spending.settle(workspace, run_id, Amount(tokens, usd))                              when it has ended
    spending.release(workspace, work_id)                                                 when it never began

Each is one commit, idempotent by the id of the work, and may come any number of times. What is reserved counts as used
at once, so that of two who want the last of a quota one is refused. The amount is the most that the work may use; what
it has used is taken from the event that ends it, once (see metering), and from then on the hold is gone. A hold whose
work died runs out after `seconds`: nobody has to release it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from shared.clock import Clock
from shared.contracts.usage import Hold, UsageKind
from shared.contracts.workspaces import Feature
from shared.errors import BudgetExceeded
from shared.store.usage import Book
from shared.store.workspace import WorkspaceStore
from shared.usage.months import month_after, month_of
from shared.usage.plans import Allowance
from shared.usage.quotas import SHOWN, states

SETTLED = timedelta(days=1)
"""How long a settled hold waits to be counted; events come within seconds, and are delivered again for a day."""
HOLDS = 500
"""Pieces of work under way in one workspace at once: their holds lie in one document."""
_ROUNDING = 1e-9
"""Of sums of dollars."""


@dataclass(frozen=True)
class Amount:
    """What work may use at most, or what it has used."""

    tokens: int = 0
    usd: float = 0.0


class Spending:
    """The gate of all workspaces. `allow_agent_runs` and `monthly_usd` are the settings of those names."""

    def __init__(
        self, store: Callable[[str], WorkspaceStore], clock: Clock, *, allow_agent_runs: bool, monthly_usd: float
    ) -> None:
        self._store, self._clock = store, clock
        self._allow_agent_runs, self._monthly_usd = allow_agent_runs, monthly_usd

    def allowance(self, workspace: str) -> Allowance:
        """What the workspace may use. Raises Malformed where its document is none."""
        document = self._store(workspace).usage.workspace()
        return Allowance(workspace, document, self._allow_agent_runs, self._monthly_usd)

    def require(self, workspace: str, feature: Feature) -> None:
        """Raises Forbidden (403) where a feature is off, PaymentRequired (402) where the plan does not have it."""
        self.allowance(workspace).require(feature)

    def reserve(self, workspace: str, kind: UsageKind, work_id: str, most: Amount, *, seconds: float) -> None:
        """Set aside what the work may use at most, for `seconds`; a second time it changes nothing.

        Raises Forbidden (403) or PaymentRequired (402) as `require` for a run, BudgetExceeded (429) where a quota has
        no room for it, which says when it renews, and Transient. Without a quota nothing is stored.
        """
        allowance = self.allowance(workspace)
        if kind is UsageKind.RUN:
            allowance.require(Feature.AGENT_RUNS)
        quotas = allowance.quotas
        if quotas.runs is None and quotas.tokens is None and quotas.usd is None:
            return
        month = month_of(self._clock.now())

        def decide(book: Book) -> dict[str, Hold] | None:
            if work_id in book.holds:
                return None
            hold = Hold(
                kind=kind, tokens=most.tokens, usd=most.usd, expires_at=book.read_time + timedelta(seconds=seconds)
            )
            _check(allowance, month, book, hold)
            return {**book.holds, work_id: hold}

        self._store(workspace).usage.change_holds(month, decide, point="spending.reserve")

    def settle(self, workspace: str, work_id: str, used: Amount) -> None:
        """The work has ended and used this much: its hold shrinks to that until it is counted. Raises Transient."""

        def decide(book: Book) -> dict[str, Hold] | None:
            hold = book.holds.get(work_id)
            if hold is None or hold.settled:
                return None
            change = {"tokens": used.tokens, "usd": used.usd, "settled": True, "expires_at": book.read_time + SETTLED}
            return {**book.holds, work_id: hold.model_copy(update=change)}

        month = month_of(self._clock.now())
        self._store(workspace).usage.change_holds(month, decide, point="spending.settle")

    def release(self, workspace: str, work_id: str) -> None:
        """The work never began, and will not: its hold goes. Raises Transient."""

        def decide(book: Book) -> dict[str, Hold] | None:
            if work_id not in book.holds:
                return None
            return {name: hold for name, hold in book.holds.items() if name != work_id}

        month = month_of(self._clock.now())
        self._store(workspace).usage.change_holds(month, decide, point="spending.release")


def _check(allowance: Allowance, month: str, book: Book, wanted: Hold) -> None:
    """Raises BudgetExceeded for the first quota that has no room for what is wanted."""
    if len(book.holds) >= HOLDS:
        raise BudgetExceeded(f"{HOLDS} pieces of work are under way already: wait until some have ended.")
    needs = {"runs": float(wanted.kind is UsageKind.RUN), "tokens": float(wanted.tokens), "usd": wanted.usd}
    for name, state in states(allowance.quotas, book).items():
        if state.left is None or not needs[name] or needs[name] <= state.left + _ROUNDING:
            continue
        renews = f"{month_after(month):%Y-%m-%d}"
        raise BudgetExceeded(
            f"The month's quota of {SHOWN[name](state.limit or 0.0)} has no room for this: it may take up to "
            f"{SHOWN[name](needs[name])}, and {SHOWN[name](state.left)} are left. It renews on {renews} (UTC); "
            f"quotas.{name} in the document workspaces/{allowance.name} raises it.",
            quota=name,
            limit=state.limit,
            left=state.left,
            renews_at=month_after(month).isoformat(),
        )
