"""The workflow's last word, when start or poll could not be called any more."""

from __future__ import annotations

from shared.contracts.operations import DEEP_RESEARCH, Operation, OperationStatus
from shared.contracts.research import FailAnswer, FailRequest
from shared.operations.ending import Ending, closing
from shared.operations.executions import same_execution
from shared.operations.ports import Ports
from shared.operations.stopping import Stopping
from shared.operations.waiting import wait
from shared.printable import printable
from shared.store.streams import Append
from shared.store.writes import Snapshot

_MESSAGE_CHARACTERS = 1_000


class GivingUp:
    def __init__(self, ports: Ports, stopping: Stopping) -> None:
        self._ports, self._stopping = ports, stopping

    def fail(self, request: FailRequest) -> FailAnswer:
        """Fail the operation if it runs and is still the caller's; any other stays as it is."""
        store = self._ports.store(request.workspace)
        operation_id = request.operation_id or self._of_note(request)
        if operation_id is None or store.operations.find(operation_id) is None:
            return FailAnswer(operation=None)
        if self._ports.paused(request.workspace):  # which may be all that is wrong
            return FailAnswer(operation=wait(self._ports, request.workspace, operation_id, launched=True))

        def decide(operation: Operation | None, _found: Snapshot) -> Append | None:
            if operation is None or operation.status is not OperationStatus.RUNNING or not _owns(operation, request):
                return None
            return closing(self._ports, operation, Ending.failed("workflow_failed", _message(operation, request)))

        operation = store.operations.append(operation_id, decide, point="operation.given_up").operation
        if operation.cancel_pending:
            operation = self._stopping.finish(request.workspace, operation_id, execution=False)
        return FailAnswer(operation=operation)

    def _of_note(self, request: FailRequest) -> str | None:
        if request.note_id is None:
            return None  # the execution's argument named nothing: there is nothing to fail
        return self._ports.store(request.workspace).claims.read(request.note_id).claim.operation_id


def _owns(operation: Operation, request: FailRequest) -> bool:
    if request.fence:
        return operation.fence == request.fence
    if request.execution:
        return not operation.claimed or same_execution(operation.execution, request.execution)
    return not operation.claimed


def _message(operation: Operation, request: FailRequest) -> str:
    """The workflow knows only that a call failed; why, the operation may know."""
    known = f" {operation.error.message}" if operation.error else ""
    again = "Tag the note again later." if operation.kind == DEEP_RESEARCH else "Try again later."
    return f"The workflow gave up: {printable(request.message[:_MESSAGE_CHARACTERS])}.{known} {again}"
