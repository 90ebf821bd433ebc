"""What a run may use, what a step is granted of it, and what was used of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from shared.config import Settings
from shared.contracts.operations import Usage
from shared.contracts.prices import input_tokens, output_tokens, usd_of
from shared.contracts.runs import AgentRun, Budget, Ledger, RunStep, StepKind, StepStatus


@dataclass(frozen=True)
class Totals:
    """The sums of all steps."""

    usage: Usage
    calls: int

    @property
    def tokens_in(self) -> int:
        return input_tokens(self.usage)

    @property
    def tokens_out(self) -> int:
        return output_tokens(self.usage)

    @property
    def usd(self) -> float:
        return round(usd_of(self.usage), 6)


def limits_of(settings: Settings) -> Budget:
    return Budget(tokens=settings.run_max_tokens, calls=settings.run_max_calls, usd=settings.run_max_usd)


def used_by(usage: Usage, calls: int) -> Budget:
    return Budget(tokens=input_tokens(usage) + output_tokens(usage), calls=calls, usd=usd_of(usage))


def reached(run: AgentRun, now: datetime) -> str | None:
    """The bound of the run that lets no further step begin: time, tokens, calls or usd."""
    if run.deadline_at is not None and now >= run.deadline_at:
        return "time"
    left = run.ledger.limits - run.ledger.used
    spent = {"tokens": left.tokens <= 0, "calls": left.calls <= 0, "usd": left.usd <= 0}
    return next((name for name, over in spent.items() if over), None)


def grant(ledger: Ledger, waiting: int) -> Budget | None:
    """What the next of so many waiting steps is granted: an equal share, one more kept back for the answer.

    None while nothing is left to grant: what the steps under way do not use comes back.
    """
    left = ledger.left
    if left.tokens <= 0 or left.calls <= 0 or left.usd <= 0:
        return None
    share = left.share(waiting + 1)
    return Budget(tokens=max(1, share.tokens), calls=max(1, share.calls), usd=share.usd)


def settled(ledger: Ledger, step: RunStep) -> Ledger:
    """The account after a step that ended: its grant is given back, and what it used is booked."""
    used = ledger.used + used_by(step.usage, step.calls)
    granted = ledger.granted - step.budget
    clean = Budget(tokens=max(0, granted.tokens), calls=max(0, granted.calls), usd=max(0.0, granted.usd))
    return ledger.model_copy(update={"used": used, "granted": clean})


def totals(steps: Iterable[RunStep]) -> Totals:
    """What all steps have used, those under way included."""
    usage, calls = Usage(), 0
    for step in steps:
        usage, calls = usage + step.usage, calls + step.calls
    return Totals(usage, calls)


def work(steps: Iterable[RunStep]) -> list[RunStep]:
    """The steps that do the work: neither the plan nor the synthesis."""
    return [step for step in steps if step.kind not in (StepKind.PLAN, StepKind.SYNTHESIS)]


def waiting(steps: Iterable[RunStep]) -> list[RunStep]:
    return [step for step in work(steps) if step.status is StepStatus.PENDING]
