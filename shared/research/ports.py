"""What the research job needs from outside, as narrow as it uses it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from shared.contracts.operations import Operation
from shared.contracts.usage import UsageKind
from shared.faultpoint import faultpoint
from shared.gateway.interactions import Interaction
from shared.operations import ports as operations
from shared.research.attempts import may_run
from shared.research.cadence import Cadence
from shared.usage.spending import Amount


class InteractionsPort(Protocol):
    def create(self, body: Mapping[str, Any], *, deadline_seconds: float) -> str: ...

    def get(self, interaction_id: str) -> Interaction: ...

    def cancel(self, interaction_id: str) -> None: ...


class RedirectsPort(Protocol):
    def is_redirect(self, url: str) -> bool: ...

    def resolve(self, urls: Iterable[str]) -> Mapping[str, str]: ...


class SpendingPort(Protocol):
    def reserve(self, workspace: str, kind: UsageKind, work_id: str, most: Amount, *, seconds: float) -> None: ...

    def release(self, workspace: str, work_id: str) -> None: ...


@dataclass(frozen=True)
class Ports(operations.Ports):
    """Everything a transition may use."""

    interactions: InteractionsPort
    redirects: RedirectsPort
    spending: SpendingPort

    @property
    def cadence(self) -> Cadence:
        s = self.settings
        return Cadence(
            s.research_poll_min_seconds,
            s.research_poll_max_seconds,
            s.research_deadline_seconds,
            s.research_net_seconds,
        )

    def outside(self, operation: Operation) -> list[str]:
        """The interactions that are not known to have ended."""
        return may_run(operation)

    def stop_outside(self, name: str) -> None:
        faultpoint("before_call:interactions.cancel")
        self.interactions.cancel(name)
        faultpoint("after_call:interactions.cancel")
