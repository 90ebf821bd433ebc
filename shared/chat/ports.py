"""What a turn needs from outside, as narrow as it uses it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from shared.clock import Clock, Spawn, in_thread
from shared.config import Settings
from shared.contracts.sessions import CheckpointEnvelope
from shared.ids import IdSource
from shared.llm.port import Model
from shared.loop.ports import ToolsPort
from shared.operations.executions import ExecutionsPort
from shared.store.workspace import WorkspaceStore
from shared.tools.services import Services


class SessionsPort(Protocol):
    """The session store as a workspace sees it: shared.sessions.owned."""

    def hydrate(self, session_id: str) -> CheckpointEnvelope | None: ...

    def persist(self, session_id: str, envelope: CheckpointEnvelope) -> None: ...

    def forget(self, session_id: str, *, vouched: bool = False) -> bool: ...


@dataclass(frozen=True)
class Ports:
    """Everything a transition of a turn may use."""

    store: Callable[[str], WorkspaceStore]
    model: Callable[[], Model]
    """Raises a MemexError that says what to set where there is none."""
    tools: Callable[[], ToolsPort]
    services: Callable[[str], Services]
    sessions: Callable[[str], SessionsPort]
    """Of a workspace."""
    executions: ExecutionsPort
    clock: Clock
    ids: IdSource
    settings: Settings
    spawn: Spawn = in_thread
    check_spending: Callable[[str], None] = lambda _workspace: None
    """Raises SpendingPaused where spending is paused in the workspace."""

    def now(self) -> datetime:
        return self.clock.now()
