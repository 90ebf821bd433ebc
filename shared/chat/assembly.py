"""The chat with its real clients; called by bootstrap alone, so that other functions import none of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from shared.chat.ports import Ports, SessionsPort
from shared.chat.reconciling import TurnReconciler
from shared.chat.service import Chat
from shared.clock import Clock, Spawn
from shared.config import Settings
from shared.gateway.workflows import Executions, executions_client
from shared.ids import IdSource
from shared.llm.needed import needed
from shared.llm.port import Models
from shared.store.workspace import WorkspaceStore
from shared.tools.services import Services

if TYPE_CHECKING:
    from shared.store.system import SystemStore
    from shared.tools.registry import Registry


@dataclass(frozen=True)
class Parts:
    """What bootstrap builds the chat of; each is made when a turn first needs it."""

    store: Callable[[str], WorkspaceStore]
    models: Callable[[], Models]
    services: Callable[[str], Services]
    sessions: Callable[[str], SessionsPort]
    spawn: Spawn
    check_spending: Callable[[str], None]


def chat(settings: Settings, parts: Parts, clock: Clock, ids: IdSource) -> Chat:
    executions = cache(lambda: executions_client(settings.workflows_endpoint))
    ports = Ports(
        store=parts.store,
        model=lambda: needed(parts.models().chat, "CHAT_MODEL"),
        tools=lambda: _tools(settings.allow_internet_access, settings.allow_agent_runs),
        services=parts.services,
        sessions=parts.sessions,
        executions=Executions(executions, settings.project, settings.location),
        clock=clock,
        ids=ids,
        settings=settings,
        spawn=parts.spawn,
        check_spending=parts.check_spending,
    )
    return Chat(ports)


def reconciler(job: Chat, system: Callable[[], SystemStore]) -> TurnReconciler:
    return TurnReconciler(job.ports, system, job.launching)


@cache
def _tools(internet: bool, runs: bool) -> Registry:
    from shared.tools.catalogue import acting

    return acting(internet=internet, runs=runs)
