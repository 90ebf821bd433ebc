"""Runs with their real clients; called by bootstrap alone, so that other functions import none of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from shared.clock import Clock, Spawn
from shared.config import Settings
from shared.gateway.workflows import Executions, executions_client
from shared.ids import IdSource
from shared.llm.needed import needed
from shared.llm.port import Models
from shared.runs.ports import Ports, SpendingPort
from shared.runs.reconciling import RunReconciler
from shared.runs.service import Runs
from shared.store.workspace import WorkspaceStore
from shared.tools.services import Services

if TYPE_CHECKING:
    from shared.store.system import SystemStore
    from shared.tools.registry import Registry


@dataclass(frozen=True)
class Parts:
    """What bootstrap builds runs of; each is made when a run first needs it."""

    store: Callable[[str], WorkspaceStore]
    models: Callable[[], Models]
    services: Callable[[str], Services]
    tools: Callable[[], Registry]
    spending: Callable[[], SpendingPort]
    spawn: Spawn
    paused: Callable[[str], bool]


def runs(settings: Settings, parts: Parts, clock: Clock, ids: IdSource) -> Runs:
    executions = cache(lambda: executions_client(settings.workflows_endpoint))
    ports = Ports(
        store=parts.store,
        plan_model=lambda: needed(parts.models().plan, "PLAN_MODEL"),
        work_model=lambda: needed(parts.models().work, "WORK_MODEL"),
        tools=parts.tools,
        services=parts.services,
        executions=Executions(executions, settings.project, settings.location),
        spending=parts.spending(),
        clock=clock,
        ids=ids,
        settings=settings,
        spawn=parts.spawn,
        paused=parts.paused,
    )
    return Runs(ports)


def reconciler(job: Runs, system: Callable[[], SystemStore]) -> RunReconciler:
    return RunReconciler(job.ports, system, job.launching)
