"""What the queue of the brain needs from outside, as narrow as it uses it."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from shared.brain.agent import BrainAgent, ModelClass
from shared.clock import Clock, Spawn, in_thread
from shared.config import Settings
from shared.contracts.usage import UsageKind
from shared.contracts.workspaces import Feature
from shared.ids import IdSource
from shared.llm.port import Embedder, Model
from shared.store.workspace import WorkspaceStore
from shared.usage.spending import Amount


class ExecutionsPort(Protocol):
    def start(self, workflow: str, argument: Mapping[str, Any]) -> str: ...

    def alive(self, name: str) -> bool: ...


class SpendingPort(Protocol):
    def require(self, workspace: str, feature: Feature) -> None: ...

    def reserve(self, workspace: str, kind: UsageKind, work_id: str, most: Amount, *, seconds: float) -> None: ...

    def release(self, workspace: str, work_id: str) -> None: ...


@dataclass(frozen=True)
class Ports:
    """Everything a move of a job may use."""

    store: Callable[[str], WorkspaceStore]
    agents: Callable[[], Mapping[str, BrainAgent]]
    model: Callable[[ModelClass], Model | None]
    """Of a class of agents; None: they work by rule."""
    embedder: Callable[[], Embedder | None]
    executions: ExecutionsPort
    spending: SpendingPort
    clock: Clock
    ids: IdSource
    randomness: random.Random
    settings: Settings
    spawn: Spawn = in_thread
    paused: Callable[[str], bool] = lambda _workspace: False
    """Whether spending is paused in a workspace. Raises Transient."""

    def now(self) -> datetime:
        return self.clock.now()
