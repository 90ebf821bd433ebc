"""Workspaces with their real clients; called by bootstrap alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared.clock import Clock
from shared.config import Settings
from shared.contracts.chat import TurnCancelAnswer
from shared.contracts.operations import CancelAnswer
from shared.contracts.runs import RunCancelAnswer
from shared.contracts.sessions import SessionStoreKind
from shared.operations.executions import ExecutionsPort
from shared.sessions.assembly import SessionStores
from shared.sessions.port import SessionStore
from shared.store.deletions import Deletions
from shared.store.system import SystemStore
from shared.store.workspace import WorkspaceStore
from shared.workspaces.ports import Ports
from shared.workspaces.service import Workspaces

if TYPE_CHECKING:
    from shared.gateway.objects import Objects


@dataclass(frozen=True)
class Beneath:
    """What ends the work of a workspace, on stores that its deletion does not close."""

    store: Callable[[str], WorkspaceStore]
    cancel_operation: Callable[[str, str], CancelAnswer]
    cancel_run: Callable[[str, str], RunCancelAnswer]
    cancel_turn: Callable[[str, str], TurnCancelAnswer]


@dataclass(frozen=True)
class Parts:
    """What workspaces are made of."""

    deletions: Callable[[], Deletions]
    system: Callable[[], SystemStore]
    beneath: Beneath
    files: Callable[[], Objects] | None
    session_stores: Callable[[], SessionStores]
    executions: ExecutionsPort


def workspaces(settings: Settings, parts: Parts, clock: Clock) -> Workspaces:
    ports = Ports(
        deletions=parts.deletions,
        work=parts.beneath,
        executions=parts.executions,
        files=parts.files,
        session_stores=lambda workspace: _outside(settings, parts.session_stores(), workspace),
        clock=clock,
        launch_lease_seconds=settings.launch_lease_seconds,
    )
    return Workspaces(ports, parts.system)


def _outside(settings: Settings, stores: SessionStores, workspace: str) -> list[SessionStore]:
    """Those in which checkpoints may lie besides the workspace's own documents: the one in use, and the service."""
    kinds = {SessionStoreKind(settings.sessions)}
    if settings.sessions_engine:
        kinds.add(SessionStoreKind.AGENT_ENGINE)
    return [stores.open(kind, workspace) for kind in sorted(kinds - {SessionStoreKind.FIRESTORE})]
