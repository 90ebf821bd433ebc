"""The engine of operations, put together: what an operation of every kind is launched, ended and cancelled with."""

from __future__ import annotations

from shared.contracts.operations import CancelAnswer, Operation
from shared.contracts.research import FailAnswer, FailRequest
from shared.operations.claiming import claim
from shared.operations.giving_up import GivingUp
from shared.operations.launching import Launching
from shared.operations.ports import Ports
from shared.operations.stopping import Stopping


class Engine:
    def __init__(self, ports: Ports) -> None:
        self.ports = ports
        self.launching = Launching(ports)
        self.stopping = Stopping(ports)
        self._giving_up = GivingUp(ports, self.stopping)

    def work_created(self, workspace: str, operation_id: str) -> None:
        """An operation was created: see that it has an execution. Raises Transient, NotFound."""
        self.launching.await_or_ensure(workspace, operation_id)

    def claim(self, workspace: str, operation_id: str, execution: str) -> tuple[Operation, bool]:
        """See claiming.claim."""
        return claim(self.ports, workspace, operation_id, execution)

    def fail(self, request: FailRequest) -> FailAnswer:
        """See GivingUp.fail."""
        return self._giving_up.fail(request)

    def cancel(self, workspace: str, operation_id: str) -> CancelAnswer:
        """See Stopping.cancel."""
        return self.stopping.cancel(workspace, operation_id)
