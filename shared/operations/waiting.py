"""An operation that may not spend: it is kept as it is, says why it waits, and goes on by the sweep."""

from __future__ import annotations

from shared.contracts.operations import Failure, Operation
from shared.errors import SpendingPaused
from shared.operations.ports import Ports
from shared.store.streams import Append
from shared.store.writes import Snapshot

MESSAGE = "It waits: spending is paused. Once it goes on, so does this, within minutes."


def waits(operation: Operation) -> bool:
    """Whether it was said that the operation waits for spending to go on."""
    return operation.error is not None and operation.error.code == SpendingPaused.code


def wait(ports: Ports, workspace: str, operation_id: str, *, launched: bool = False) -> Operation | None:
    """Say so, once; `launched` gives back the execution that has come for nothing. None where there is no operation.

    Raises Transient.
    """

    def decide(operation: Operation | None, _found: Snapshot) -> Append | None:
        if operation is None or operation.status.terminal or (waits(operation) and not launched):
            return None
        failure = Failure(code=SpendingPaused.code, message=MESSAGE)
        back = {"launches": max(0, operation.launches - 1)} if launched else {}
        return Append({"error": failure.model_dump(), "updated_at": ports.now(), **back})

    operations = ports.store(workspace).operations
    if operations.find(operation_id) is None:
        return None
    return operations.append(operation_id, decide, point="operation.wait").operation
