"""The brain's queue with its real clients; called by bootstrap alone, so that other functions import none of them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from shared.brain.models import Roles
from shared.brain.ports import Ports, SpendingPort
from shared.brain.reconciling import BrainReconciler
from shared.brain.registry import agents
from shared.brain.service import Brain
from shared.clock import Clock, Spawn
from shared.config import Settings
from shared.gateway.workflows import Executions, executions_client
from shared.ids import IdSource
from shared.llm.port import Models
from shared.store.workspace import WorkspaceStore

if TYPE_CHECKING:
    from shared.store.system import SystemStore


@dataclass(frozen=True)
class Parts:
    """What bootstrap builds the brain of; each is made when it is first needed."""

    store: Callable[[str], WorkspaceStore]
    models: Callable[[], Models]
    spending: SpendingPort
    spawn: Spawn
    paused: Callable[[str], bool]


def brain(settings: Settings, parts: Parts, clock: Clock, ids: IdSource, randomness: random.Random) -> Brain:
    executions = cache(lambda: executions_client(settings.workflows_endpoint))
    roles = Roles(parts.models, by_rule=settings.brain_models == "rules")
    ports = Ports(
        store=parts.store,
        agents=agents,
        model=roles.model,
        embedder=roles.embedder,
        executions=Executions(executions, settings.project, settings.location),
        spending=parts.spending,
        clock=clock,
        ids=ids,
        randomness=randomness,
        settings=settings,
        spawn=parts.spawn,
        paused=parts.paused,
    )
    return Brain(ports)


def reconciler(brain: Brain, system: Callable[[], SystemStore]) -> BrainReconciler:
    return BrainReconciler(brain.ports, system, brain.launching)
