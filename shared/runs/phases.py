"""What a run needs next, by its own state and that of its steps."""

from __future__ import annotations

from collections.abc import Sequence

from shared.contracts.run_calls import RunNext
from shared.contracts.runs import AgentRun, RunStep, StepKind, StepStatus
from shared.runs import budgets


def phase(run: AgentRun, steps: Sequence[RunStep]) -> RunNext:
    """The verb that an execution calls next."""
    if run.status.terminal:
        return "done"
    if any(step.kind is StepKind.PLAN and step.status is not StepStatus.SUCCEEDED for step in steps):
        return "plan"
    return "synthesise" if all(step.status.terminal for step in budgets.work(steps)) else "steps"


def lanes(steps: Sequence[RunStep], most: int) -> tuple[int, ...]:
    """Numbers of the lanes that are worth having: no more than there are steps to work on."""
    open_steps = sum(not step.status.terminal for step in budgets.work(steps))
    return tuple(range(1, max(1, min(most, open_steps)) + 1))
