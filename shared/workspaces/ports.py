"""What the deletion of a workspace needs from outside, as narrow as it is used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from shared.clock import Clock
from shared.contracts.chat import TurnCancelAnswer
from shared.contracts.operations import CancelAnswer
from shared.contracts.runs import RunCancelAnswer
from shared.operations.executions import ExecutionsPort
from shared.sessions.port import SessionStore
from shared.store.deletions import Deletions
from shared.store.workspace import WorkspaceStore

if TYPE_CHECKING:
    from shared.gateway.objects import Objects


class Work(Protocol):
    """What may run in a workspace, and how each of it is ended. The stores behind it are not closed by the gate."""

    def store(self, workspace: str) -> WorkspaceStore: ...

    def cancel_operation(self, workspace: str, operation_id: str) -> CancelAnswer: ...

    def cancel_run(self, workspace: str, run_id: str) -> RunCancelAnswer: ...

    def cancel_turn(self, workspace: str, session_id: str) -> TurnCancelAnswer: ...


@dataclass(frozen=True)
class Ports:
    """Everything a transition may use. `files` is None where no place for files is set."""

    deletions: Callable[[], Deletions]
    work: Work
    executions: ExecutionsPort
    files: Callable[[], Objects] | None
    session_stores: Callable[[str], list[SessionStore]]
    """Those that keep checkpoints outside of the workspace's own documents."""
    clock: Clock
    launch_lease_seconds: float

    def now(self) -> datetime:
        return self.clock.now()
