"""Starting a workflow execution for an operation.

The lease lets one caller at a time do it: executions.create has no idempotency key. A second execution that comes to be
all the same finds the operation claimed, and ends.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from shared.contracts.events import EventType
from shared.contracts.operations import DEEP_RESEARCH, EXTRACT_DOCUMENT, Operation
from shared.errors import MemexError, NotFound, Transient
from shared.faultpoint import faultpoint
from shared.research.ending import Ending, end
from shared.research.executions import same_execution
from shared.research.ports import Ports
from shared.store.streams import Append
from shared.store.writes import Snapshot

WORKFLOWS = {DEEP_RESEARCH: "research", EXTRACT_DOCUMENT: "extract"}
"""What drives an operation of each kind."""
LAUNCHES = 8
"""Executions started for one operation; each but the first was found dead by the sweep."""
START_WINDOW = timedelta(days=1)
"""How long an operation may wait for Workflows to be there."""
_LOOKS = 4
_LOOK_SECONDS = 1.0


class LeaseHeld(Transient):
    """Another caller is starting an execution at this moment."""


def leased(operation: Operation, now: datetime) -> bool:
    return operation.launch_expires_at is not None and operation.launch_expires_at > now


class Launching:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    def ensure(self, workspace: str, operation_id: str, *, dead: str | None = None) -> Operation:
        """Start an execution unless there is one, the operation has ended, or its launches are used up (it then fails).

        `dead` names an execution that is known to have ended without ending the operation: it counts as none.
        Raises LeaseHeld, NotFound, and Transient when the start failed and may succeed later.
        """
        operation = self._lease(workspace, operation_id, dead)
        if operation is None:
            return self._ports.store(workspace).operations.get(operation_id)
        return self.start(workspace, operation)

    def await_or_ensure(self, workspace: str, operation_id: str) -> Operation:
        """`ensure`, after a short patience with another caller who holds the lease: mostly he is just done."""
        for _ in range(_LOOKS):
            try:
                return self.ensure(workspace, operation_id)
            except LeaseHeld:
                self._ports.clock.sleep(_LOOK_SECONDS)
        return self.ensure(workspace, operation_id)

    def start(self, workspace: str, leased_operation: Operation) -> Operation:
        """Start an execution under the lease that the caller holds. Raises Transient."""
        operation_id = leased_operation.id
        workflow = WORKFLOWS.get(leased_operation.kind, leased_operation.kind)
        faultpoint("before_call:executions.create")
        try:
            name = self._ports.executions.start(workflow, {"workspace": workspace, "operation_id": operation_id})
        except Transient as error:
            self._failed(workspace, leased_operation, error)
            raise
        except MemexError as error:
            message = f"{error.message} Deploy the workflow {workflow} and let this function's account start it."
            ending = Ending.failed(f"start_{error.code}", message)
            return end(self._ports, workspace, operation_id, ending, fence=None).operation
        faultpoint("after_call:executions.create")
        return self._started(workspace, operation_id, name)

    def _lease(self, workspace: str, operation_id: str, dead: str | None) -> Operation | None:
        """The operation with the lease taken, None when there is nothing to start."""

        def decide(operation: Operation | None, found: Snapshot) -> Append | None:
            if operation is None:
                raise NotFound(f"There is no operation {operation_id}.")
            execution = None if same_execution(operation.execution, dead) else operation.execution
            if operation.status.terminal or execution is not None:
                return None
            if leased(operation, found.read_time):
                raise LeaseHeld("Another caller is starting this operation.", retry_after_seconds=10.0)
            if self._hopeless(operation) is not None:
                return None
            return Append(
                {
                    "launch_expires_at": found.read_time + timedelta(seconds=self._ports.settings.launch_lease_seconds),
                    "launches": operation.launches + 1,
                    "execution": None,
                    "claimed": False,
                    "updated_at": self._ports.now(),
                }
            )

        change = self._ports.store(workspace).operations.append(operation_id, decide, point="operation.lease")
        if change.changed:
            return change.operation
        self._give_up(workspace, change.operation, dead)
        return None

    def _hopeless(self, operation: Operation) -> Ending | None:
        """Why no further execution is started."""
        if operation.launches >= LAUNCHES:
            message = f"{LAUNCHES} executions were started and none ended this. Look at the workflow's executions."
            return Ending.failed("launches_exhausted", message)
        if operation.execution is None and self._ports.now() - operation.created_at > START_WINDOW:
            reason = operation.error.message if operation.error else "Nobody knows why."
            return Ending.failed("start_unavailable", f"No execution could be started for a day. {reason}")
        return None

    def _give_up(self, workspace: str, operation: Operation, dead: str | None) -> None:
        idle = operation.execution is None or same_execution(operation.execution, dead)
        ending = self._hopeless(operation)
        if idle and not operation.status.terminal and ending is not None:
            end(self._ports, workspace, operation.id, ending, fence=None)

    def _failed(self, workspace: str, leased_operation: Operation, error: Transient) -> None:
        """Give the lease back. The launch does not count; the first failure of a series is told."""

        def decide(operation: Operation | None, _found: Snapshot) -> Append | None:
            if operation is None or operation.status.terminal or operation.execution is not None:
                return None
            if operation.launch_expires_at != leased_operation.launch_expires_at:
                return None  # the lease has run out and is another's now
            known = operation.error is not None and operation.error.code == "start_unavailable"
            failure = {"v": 1, "code": "start_unavailable", "message": error.message}
            event = self._ports.event(EventType.START_FAILED, code="start_unavailable", message=error.message)
            update = {"error": failure, "launch_expires_at": None, "launches": operation.launches - 1}
            return Append({**update, "updated_at": self._ports.now()}, () if known else (event,))

        store = self._ports.store(workspace)
        store.operations.append(leased_operation.id, decide, point="operation.start_failed")

    def _started(self, workspace: str, operation_id: str, name: str) -> Operation:
        def decide(operation: Operation | None, _found: Snapshot) -> Append | None:
            if operation is None or operation.status.terminal or operation.execution is not None:
                return None
            return Append(
                {"execution": name, "launch_expires_at": None, "error": None, "updated_at": self._ports.now()},
                (self._ports.event(EventType.EXECUTION_STARTED, execution=name),),
            )

        return (
            self._ports.store(workspace).operations.append(operation_id, decide, point="operation.launched").operation
        )
