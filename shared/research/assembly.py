"""The research job with its real clients; called by bootstrap alone, so that other functions import none of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from shared.clock import Clock
from shared.config import Settings
from shared.gateway import backends
from shared.gateway.interactions import Interactions
from shared.gateway.paid import PaidInteractions
from shared.gateway.redirects import Redirects
from shared.gateway.transport import build_client
from shared.gateway.workflows import Executions, executions_client
from shared.research.ports import InteractionsPort, Ports, SpendingPort
from shared.research.reconciling import Reconciler
from shared.research.service import Research
from shared.store.workspace import WorkspaceStore

if TYPE_CHECKING:
    import httpx

    from shared.store.system import SystemStore
    from shared.usage.pause import Pause


def research(
    settings: Settings,
    store: Callable[[str], WorkspaceStore],
    spending: SpendingPort,
    clock: Clock,
    pause: Pause,
    engine: InteractionsPort | None = None,
) -> Research:
    """`engine` is who does the research, in the place of Deep Research."""
    client = build_client()
    executions = cache(lambda: executions_client(settings.workflows_endpoint))
    ports = Ports(
        store=store,
        interactions=engine or _interactions(settings, client, pause),
        executions=Executions(executions, settings.project, settings.location),
        redirects=Redirects(client, settings.redirect_hosts.split(",")),
        spending=spending,
        clock=clock,
        settings=settings,
        paused=pause.paused,
        check_spending=pause.check,
    )
    return Research(ports)


def reconciler(job: Research, system: Callable[[], SystemStore]) -> Reconciler:
    return Reconciler(job.ports, system, job.engine.launching, job.engine.stopping)


def _interactions(settings: Settings, client: httpx.Client, pause: Pause) -> PaidInteractions:
    provider = "gcp.gemini" if settings.research_backend == "gemini" else "gcp.vertex_ai"
    return PaidInteractions(Interactions(client, _backend(settings)), pause.check_here, provider)


def _backend(settings: Settings) -> backends.Backend:
    if settings.research_backend == "gemini":
        return backends.gemini(settings.gemini_api_key, settings.research_base_url)
    from shared.gateway.default_token import DefaultToken

    project = settings.research_project or settings.project
    return backends.vertex(project, DefaultToken(), settings.research_base_url)
