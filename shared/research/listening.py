"""The waiting execution says where it can be woken."""

from __future__ import annotations

from shared.contracts.operations import Operation, OperationStatus
from shared.contracts.research import ListenRequest, PollAnswer
from shared.errors import InputError, NotFound
from shared.operations.callbacks import is_callback
from shared.research.answering import Answering
from shared.research.ports import Ports
from shared.store.streams import Append
from shared.store.writes import Snapshot


class Listening:
    def __init__(self, ports: Ports, answering: Answering) -> None:
        self._ports, self._answering = ports, answering

    def listen(self, request: ListenRequest) -> PollAnswer:
        """Remember the callback with the operation; the answer says to poll at once if a wake has come before it.

        `superseded` for a fence that no longer holds. Raises NotFound, Transient, and InputError for an address that
        is no callback of the operation's execution.
        """

        def decide(operation: Operation | None, _found: Snapshot) -> Append | None:
            if operation is None:
                raise NotFound(f"There is no operation {request.operation_id}.")
            if operation.status is not OperationStatus.RUNNING or operation.fence != request.fence:
                return None
            if operation.callback_url == request.callback_url:
                return None
            if not is_callback(request.callback_url, operation.execution, self._ports.settings):
                raise InputError("This is no callback of the operation's execution.", field="callback_url")
            return Append({"callback_url": request.callback_url, "updated_at": self._ports.now()})

        operations = self._ports.store(request.workspace).operations
        operation = operations.append(request.operation_id, decide, point="operation.listen").operation
        return self._answering.answer(request, operation)
