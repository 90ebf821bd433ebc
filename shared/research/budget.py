"""What a run, or the plan of one, may cost is set aside before it is begun."""

from __future__ import annotations

from shared.contracts.prices import PLAN_MOST_USD, RESEARCH_MOST_USD
from shared.contracts.usage import UsageKind
from shared.research.planning.phase import plan_hold
from shared.research.ports import Ports
from shared.usage.spending import Amount

_ATTEMPTS_AT_MOST = 2
_HOLD_GRACE_SECONDS = 3600.0


def set_aside(ports: Ports, workspace: str, operation_id: str) -> None:
    """The same hold for every attempt, given up when the operation's end is counted. Raises BudgetExceeded."""
    _reserve(ports, workspace, operation_id, RESEARCH_MOST_USD, _ATTEMPTS_AT_MOST)


def set_aside_for_plan(ports: Ports, workspace: str, operation_id: str) -> None:
    """It runs out by itself: what the plan has cost is counted with the operation's end. Raises BudgetExceeded."""
    _reserve(ports, workspace, plan_hold(operation_id), PLAN_MOST_USD, 1)


def _reserve(ports: Ports, workspace: str, work_id: str, usd: float, attempts: int) -> None:
    seconds = attempts * ports.settings.research_deadline_seconds + _HOLD_GRACE_SECONDS
    ports.spending.reserve(workspace, UsageKind.RESEARCH, work_id, Amount(usd=usd), seconds=seconds)
