"""What a run needs from outside, as narrow as it uses it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from shared.clock import Clock, Spawn, in_thread
from shared.config import Settings
from shared.contracts.usage import UsageKind
from shared.ids import IdSource
from shared.llm.port import Model
from shared.operations.executions import ExecutionsPort
from shared.store.workspace import WorkspaceStore
from shared.tools.registry import Registry
from shared.tools.services import Services
from shared.usage.spending import Amount


class SpendingPort(Protocol):
    def reserve(self, workspace: str, kind: UsageKind, work_id: str, most: Amount, *, seconds: float) -> None: ...

    def settle(self, workspace: str, work_id: str, used: Amount) -> None: ...

    def release(self, workspace: str, work_id: str) -> None: ...


@dataclass(frozen=True)
class Ports:
    """Everything a transition of a run may use."""

    store: Callable[[str], WorkspaceStore]
    plan_model: Callable[[], Model]
    """Plans and synthesises. Raises a MemexError that says what to set where there is none."""
    work_model: Callable[[], Model]
    """Does the steps."""
    tools: Callable[[], Registry]
    """What only looks."""
    services: Callable[[str], Services]
    executions: ExecutionsPort
    spending: SpendingPort
    clock: Clock
    ids: IdSource
    settings: Settings
    spawn: Spawn = in_thread
    paused: Callable[[str], bool] = lambda _workspace: False
    """Whether spending is paused in a workspace. Raises Transient."""

    def now(self) -> datetime:
        return self.clock.now()


@dataclass(frozen=True)
class Key:
    """Which run of which workspace."""

    workspace: str
    run_id: str
