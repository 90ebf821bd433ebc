"""What the research job needs from outside, as narrow as it uses it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol

from shared.clock import Clock
from shared.config import Settings
from shared.contracts.usage import UsageKind
from shared.gateway.interactions import Interaction
from shared.research.cadence import Cadence
from shared.store.streams import EventDraft
from shared.store.workspace import WorkspaceStore
from shared.usage.spending import Amount


class InteractionsPort(Protocol):
    def create(self, body: Mapping[str, Any], *, deadline_seconds: float) -> str: ...

    def get(self, interaction_id: str) -> Interaction: ...

    def cancel(self, interaction_id: str) -> None: ...


class ExecutionsPort(Protocol):
    def start(self, workflow: str, argument: Mapping[str, Any]) -> str: ...

    def alive(self, name: str) -> bool: ...

    def cancel(self, name: str) -> None: ...


class RedirectsPort(Protocol):
    def is_redirect(self, url: str) -> bool: ...

    def resolve(self, urls: Iterable[str]) -> Mapping[str, str]: ...


class SpendingPort(Protocol):
    def reserve(self, workspace: str, kind: UsageKind, work_id: str, most: Amount, *, seconds: float) -> None: ...


@dataclass(frozen=True)
class Ports:
    """Everything a transition may use."""

    store: Callable[[str], WorkspaceStore]
    interactions: InteractionsPort
    executions: ExecutionsPort
    redirects: RedirectsPort
    spending: SpendingPort
    clock: Clock
    settings: Settings

    def now(self) -> datetime:
        return self.clock.now()

    @property
    def cadence(self) -> Cadence:
        s = self.settings
        return Cadence(s.research_poll_min_seconds, s.research_poll_max_seconds, s.research_deadline_seconds)

    def event(self, kind: str, *, terminal: bool = False, **data: Any) -> EventDraft:
        """An event of an operation; it may be forgotten after the retention time."""
        return EventDraft(kind, data, terminal, timedelta(days=self.settings.event_retention_days))
