"""Cancelling: first the end is committed here, then the outside work is stopped.

What stays in between is finished by the workflow's next poll or by the sweep: the operation says so (`cancel_pending`).
"""

from __future__ import annotations

import logging
from datetime import timedelta

from shared.contracts.events import EventType
from shared.contracts.operations import DEEP_RESEARCH, CancelAnswer, Operation, OperationStatus
from shared.errors import MemexError, NotFound
from shared.operations.ports import Ports
from shared.store.streams import Append
from shared.store.writes import Snapshot

log = logging.getLogger(__name__)

_GIVE_UP = timedelta(days=1)
_REASONS = {
    OperationStatus.AWAITING_APPROVAL: ("plan_dropped", "The plan was dropped, so no research was begun."),
}


class Stopping:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    def cancel(self, workspace: str, operation_id: str) -> CancelAnswer:
        """End the operation, then what runs outside for it, its execution last.

        Again, or after the end: a no-op that says so. Raises NotFound. What could not be stopped outside is no
        error: it is stopped later.
        """

        def decide(operation: Operation | None, _found: Snapshot) -> Append | None:
            if operation is None:
                raise NotFound(f"There is no operation {operation_id}.")
            if operation.status.terminal:
                return None
            now = self._ports.now()
            update = {
                "status": OperationStatus.CANCELLED.value,
                "finished_at": now,
                "updated_at": now,
                "launch_expires_at": None,
                "cancel_pending": True,
            }
            code, message = _REASONS.get(operation.status, ("requested", "Cancelled on request."))
            event = self._ports.event(EventType.CANCELLED, terminal=True, code=code, message=message)
            return Append(update, (event,))

        store = self._ports.store(workspace)
        change = store.operations.append(operation_id, decide, point="operation.end")
        operation = self.finish(workspace, operation_id) if change.operation.cancel_pending else change.operation
        if change.changed:
            if operation.plan is not None and operation.plan.approved_at is None:
                return CancelAnswer(operation=operation, cancelled=True, message="The plan was dropped.")
            what = "research" if operation.kind == DEEP_RESEARCH else "operation"
            return CancelAnswer(operation=operation, cancelled=True, message=f"The {what} was cancelled.")
        message = f"There was nothing to cancel: the operation has already ended ({operation.status.value})."
        return CancelAnswer(operation=operation, cancelled=False, message=message)

    def finish(self, workspace: str, operation_id: str, *, execution: bool = True) -> Operation:
        """Stop what may still run for an ended operation, and then say that it is stopped. Safe to repeat.

        The execution comes last, and only when the rest is stopped: while it lives, its next poll tries again.
        `execution` is False for the execution's own call.
        """
        operation = self._ports.store(workspace).operations.get(operation_id)
        if not operation.cancel_pending or not operation.status.terminal:
            return operation
        try:
            for name in self._ports.outside(operation):
                self._ports.stop_outside(name)
            if execution and operation.execution and operation.status is OperationStatus.CANCELLED:
                self._ports.executions.cancel(operation.execution)
        except MemexError as error:
            if operation.finished_at is None or self._ports.now() - operation.finished_at < _GIVE_UP:
                log.warning("operation %s: its outside work is not stopped yet: %s", operation_id, error.message)
                return operation
            log.error("operation %s: giving up stopping its outside work: %s", operation_id, error.message)
        return self._stopped(workspace, operation)

    def _stopped(self, workspace: str, stopped: Operation) -> Operation:
        names = self._ports.outside(stopped)

        def decide(operation: Operation | None, _found: Snapshot) -> Append | None:
            if operation is None or not operation.cancel_pending or self._ports.outside(operation) != names:
                return None  # more of it came to light meanwhile: the next one who looks stops that too
            after = [
                attempt.model_copy(update={"status": "cancelled"}) if attempt.interaction_id in names else attempt
                for attempt in operation.interactions
            ]
            return Append({"cancel_pending": False, "interactions": [attempt.model_dump() for attempt in after]})

        store = self._ports.store(workspace)
        return store.operations.append(stopped.id, decide, point="operation.stopped").operation
