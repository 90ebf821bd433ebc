"""A plan that nobody decides on ends: its time is over, or the tag that asked for it was taken off."""

from __future__ import annotations

from collections.abc import Callable

from shared.contracts.operations import Operation, OperationStatus
from shared.errors import NotFound
from shared.operations.ending import Ending, closing
from shared.research.ports import Ports
from shared.store.streams import Append
from shared.store.writes import Snapshot


def expire(ports: Ports, workspace: str, operation_id: str) -> bool:
    """End the operation if its plan still waits and has waited long enough; whether this call did."""
    days = ports.settings.research_plan_days
    message = f"Nobody decided on the plan for {days:g} days, so no research was begun. Ask for it again."
    ending = Ending.cancelled("plan_expired", message)
    return _lapse(ports, workspace, operation_id, ending, lambda operation: _is_over(ports, operation))


def untagged(ports: Ports, workspace: str, operation_id: str) -> bool:
    """The same where the note's tag had asked for it, and is gone."""
    ending = Ending.cancelled("untagged", "The note lost its tag while its plan waited, so no research was begun.")
    return _lapse(ports, workspace, operation_id, ending, lambda operation: operation.asked_by == "tag")


def _is_over(ports: Ports, operation: Operation) -> bool:
    return operation.plan is None or operation.plan.expires_at <= ports.now()


def _lapse(
    ports: Ports, workspace: str, operation_id: str, ending: Ending, wanted: Callable[[Operation], bool]
) -> bool:
    def decide(operation: Operation | None, _found: Snapshot) -> Append | None:
        if operation is None or operation.status is not OperationStatus.AWAITING_APPROVAL or not wanted(operation):
            return None
        return closing(ports, operation, ending)

    try:
        return ports.store(workspace).operations.append(operation_id, decide, point="operation.plan_lapsed").changed
    except NotFound:
        return False
