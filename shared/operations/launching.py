"""An operation gets the execution of the workflow that drives it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from shared.contracts.events import EventType
from shared.contracts.operations import DEEP_RESEARCH, EXTRACT_DOCUMENT, Operation, OperationStatus
from shared.errors import MemexError, NotFound, Transient
from shared.operations import launch
from shared.operations.ending import Ending, end
from shared.operations.executions import same_execution
from shared.operations.ports import Ports
from shared.operations.waiting import wait, waits
from shared.store.operations import DecideOperation, OperationChange
from shared.store.streams import Append
from shared.store.writes import Snapshot

WORKFLOWS = {DEEP_RESEARCH: "research", EXTRACT_DOCUMENT: "extract"}
"""What drives an operation of each kind."""
START_WINDOW = timedelta(days=1)
"""How long an operation may wait for Workflows to be there."""


class Launching:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports

    def ensure(self, workspace: str, operation_id: str, *, dead: str | None = None) -> Operation:
        """See `launch.ensure`; an operation whose launches are used up fails. Raises NotFound besides.

        While spending is paused none is started, unless something runs outside that is paid for already.
        """
        if self._ports.paused(workspace) and (waiting := self._waiting(workspace, operation_id)) is not None:
            return waiting
        work = _Launch(self._ports, workspace, operation_id)
        launch.ensure(self._ports.executions, work, dead=dead)
        return work.operation

    def await_or_ensure(self, workspace: str, operation_id: str) -> Operation:
        """`ensure`, with patience."""
        return launch.with_patience(self._ports.clock, lambda: self.ensure(workspace, operation_id))

    def start(self, workspace: str, leased: Operation) -> Operation:
        """Start an execution under the lease with which the operation was made. Raises Transient.

        Where the answer to that commit was lost, somebody else may have used the lease up meanwhile.
        """
        if leased.launch_expires_at is None:
            return self.ensure(workspace, leased.id)
        if self._ports.paused(workspace) and (waiting := self._waiting(workspace, leased.id)) is not None:
            return waiting
        work = _Launch(self._ports, workspace, leased.id, leased)
        launch.start(self._ports.executions, work, leased.launch_expires_at)
        return work.operation

    def _waiting(self, workspace: str, operation_id: str) -> Operation | None:
        operation = self._ports.store(workspace).operations.get(operation_id)
        if operation.status is not OperationStatus.RUNNING or self._ports.outside(operation):
            return None
        return wait(self._ports, workspace, operation_id)


class _Launch:
    """One operation, as its launch sees it."""

    def __init__(self, ports: Ports, workspace: str, operation_id: str, known: Operation | None = None) -> None:
        self._ports, self._workspace, self._id, self._known = ports, workspace, operation_id, known
        self._operations = ports.store(workspace).operations

    @property
    def argument(self) -> Mapping[str, Any]:
        named = {"workspace": self._workspace, "operation_id": self._id}
        return {**named, "traceparent": self.operation.traceparent} if self.operation.traceparent else named

    @property
    def operation(self) -> Operation:
        """As it was seen last."""
        return self._known or self._operations.get(self._id)

    @property
    def workflow(self) -> str:
        return WORKFLOWS.get(self.operation.kind, self.operation.kind)

    def leased(self, dead: str | None) -> datetime | None:
        def decide(operation: Operation | None, found: Snapshot) -> Append | None:
            if operation is None:
                raise NotFound(f"There is no operation {self._id}.")
            seconds = self._ports.settings.launch_lease_seconds
            if operation.status is OperationStatus.AWAITING_APPROVAL:
                return None  # it waits for a person, not for an execution
            taken = launch.lease(operation, found.read_time, seconds=seconds, dead=dead)
            if taken is None or self._hopeless(operation) is not None:
                return None
            counted = {"launches": operation.launches + 1, "claimed": False, "updated_at": self._ports.now()}
            return Append({**taken, **counted})

        change = self._append(decide, "operation.lease")
        if change.changed:
            return change.operation.launch_expires_at
        self._give_up(change.operation, dead)
        return None

    def launched(self, name: str) -> None:
        def decide(operation: Operation | None, _found: Snapshot) -> Append | None:
            if operation is None or operation.status.terminal or operation.execution is not None:
                return None
            return Append(
                {"execution": name, "launch_expires_at": None, "error": None, "updated_at": self._ports.now()},
                (self._ports.event(EventType.EXECUTION_STARTED, execution=name),),
            )

        self._append(decide, "operation.launched")

    def postponed(self, until: datetime, error: Transient) -> None:
        """The launch does not count; the first failure of a series is told."""

        def decide(operation: Operation | None, _found: Snapshot) -> Append | None:
            back = launch.returned(operation, until)
            if operation is None or back is None:
                return None
            known = operation.error is not None and operation.error.code == "start_unavailable"
            failure = {"v": 1, "code": "start_unavailable", "message": error.message}
            event = self._ports.event(EventType.START_FAILED, code="start_unavailable", message=error.message)
            update = {**back, "error": failure, "launches": operation.launches - 1, "updated_at": self._ports.now()}
            return Append(update, () if known else (event,))

        self._append(decide, "operation.start_failed")

    def impossible(self, error: MemexError) -> None:
        self._end(Ending.failed(f"start_{error.code}", error.message))

    def _hopeless(self, operation: Operation) -> Ending | None:
        """Why no further execution is started."""
        if operation.status is not OperationStatus.RUNNING:
            return None
        if operation.launches >= launch.LAUNCHES:
            return Ending.failed("launches_exhausted", launch.EXHAUSTED)
        begun = operation.resumed_at or operation.created_at
        if operation.execution is None and not waits(operation) and self._ports.now() - begun > START_WINDOW:
            reason = operation.error.message if operation.error else "Nobody knows why."
            return Ending.failed("start_unavailable", f"No execution could be started for a day. {reason}")
        return None

    def _give_up(self, operation: Operation, dead: str | None) -> None:
        idle = operation.execution is None or same_execution(operation.execution, dead)
        ending = self._hopeless(operation)
        if idle and not operation.status.terminal and ending is not None:
            self._end(ending)

    def _append(self, decide: DecideOperation, point: str) -> OperationChange:
        change = self._operations.append(self._id, decide, point=point)
        self._known = change.operation
        return change

    def _end(self, ending: Ending) -> None:
        self._known = end(self._ports, self._workspace, self._id, ending, fence=None).operation
