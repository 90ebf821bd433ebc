"""What an operation of any kind needs from outside, as narrow as it is used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from shared.clock import Clock
from shared.config import Settings
from shared.contracts.operations import Operation
from shared.operations.executions import ExecutionsPort
from shared.store.streams import EventDraft
from shared.store.workspace import WorkspaceStore


def _never(_workspace: str) -> bool:
    return False


def _always(_workspace: str) -> None:
    """Nothing is refused."""


@dataclass(frozen=True)
class Ports:
    """Everything a transition may use."""

    store: Callable[[str], WorkspaceStore]
    executions: ExecutionsPort
    clock: Clock
    settings: Settings
    paused: Callable[[str], bool] = field(default=_never, kw_only=True)
    """Whether spending is paused in a workspace. Raises Transient."""
    check_spending: Callable[[str], None] = field(default=_always, kw_only=True)
    """Raises SpendingPaused where it is."""

    def now(self) -> datetime:
        return self.clock.now()

    def event(self, kind: str, *, terminal: bool = False, **data: Any) -> EventDraft:
        """An event of an operation; it may be forgotten after the retention time."""
        return EventDraft(kind, data, terminal, timedelta(days=self.settings.event_retention_days))

    def outside(self, operation: Operation) -> list[str]:
        """Names of what may still run for it besides its execution: nothing, where its kind does not say more."""
        del operation
        return []

    def stop_outside(self, name: str) -> None:
        """Stop one of those. Raises MemexError when it may still run."""
        del name
