"""Taking an operation over: the execution that holds it has its number, and writes by those before it are refused."""

from __future__ import annotations

from shared.contracts.events import EventType
from shared.contracts.operations import Operation, OperationStatus
from shared.errors import NotFound
from shared.operations.executions import dead_owner, same_execution
from shared.operations.ports import Ports
from shared.store.streams import Append
from shared.store.writes import Snapshot


def claim(ports: Ports, workspace: str, operation_id: str, execution: str) -> tuple[Operation, bool]:
    """The operation, and whether the calling execution holds it now. The same call again gives the same.

    It does not where the operation has ended, or a living execution has it. Raises NotFound, Transient.
    """
    store, held = ports.store(workspace), list[bool]()
    dead = dead_owner(ports.executions, _owner(store.operations.get(operation_id)), execution)

    def decide(operation: Operation | None, _found: Snapshot) -> Append | None:
        held.clear()
        if operation is None:
            raise NotFound(f"There is no operation {operation_id}.")
        mine = same_execution(operation.execution, execution)
        anothers = operation.claimed and not mine and not same_execution(operation.execution, dead)
        if operation.status is not OperationStatus.RUNNING or anothers:
            return None
        held.append(True)
        if operation.claimed and mine:
            return None
        update = {
            "execution": execution,
            "claimed": True,
            "fence": operation.fence + 1,
            "launch_expires_at": None,
            "error": None,
            "updated_at": ports.now(),
        }
        event = ports.event(EventType.EXECUTION_STARTED, execution=execution)
        return Append(update, () if mine else (event,))

    change = store.operations.append(operation_id, decide, point="operation.claim")
    return change.operation, bool(held)


def _owner(operation: Operation) -> str | None:
    return operation.execution if operation.claimed and not operation.status.terminal else None
