"""The product's App as the simulation builds it, one for each instance."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property
from unittest.mock import patch

import httpx

import shared.store.workspace
from infra.sim.clients import Clients
from infra.sim.clock import InstanceClock
from infra.sim.earlier import EarlierDatabase, earlier_settings
from infra.sim.webhooks import KnownKeys
from shared.bootstrap import App
from shared.config import Settings
from shared.gateway import backends
from shared.gateway.callbacks import Callbacks
from shared.gateway.interactions import Interactions
from shared.gateway.pubsub import Publisher
from shared.gateway.redirects import Redirects
from shared.gateway.workflows import Executions
from shared.research.ports import Ports
from shared.research.service import Research
from shared.store.workspace import WorkspaceStore
from shared.webhooks.assembly import webhooks
from shared.webhooks.service import Webhooks


@dataclass(frozen=True)
class Outside:
    """What instances reach over HTTP: the research service, callbacks of executions, and the keys of webhooks."""

    http: httpx.Client
    callbacks: httpx.Client
    keys: KnownKeys


class SimApp(App):
    """Everything of the product, on the world's clients."""

    def __init__(self, settings: Settings, clock: InstanceClock, clients: Clients, outside: Outside, seed: str) -> None:
        super().__init__(settings, clock=clock, randomness=random.Random(f"app/{seed}"))
        self._clients, self._outside, self._http = clients, outside, outside.http
        self.firestore = clients.firestore

    @cached_property
    def publisher(self) -> Publisher:
        return Publisher(self._clients.publisher, self.settings.project, self.clock)

    @cached_property
    def webhooks(self) -> Webhooks:
        callbacks = Callbacks(self._outside.callbacks, lambda: "token")
        system = lambda: self.system_store  # noqa: E731
        return webhooks(self.settings, self.store, system, self.clock, keys=self._outside.keys, callbacks=callbacks)

    @cached_property
    def research(self) -> Research:
        backend = backends.gemini(self.settings.gemini_api_key, self.settings.research_base_url)
        return Research(
            Ports(
                store=self.store,
                interactions=Interactions(self._http, backend),
                executions=Executions(lambda: self._clients.executions, self.settings.project, self.settings.location),
                redirects=Redirects(self._http, ()),
                spending=self.spending,
                clock=self.clock,
                settings=self.settings,
            )
        )


class EarlierApp(SimApp):
    """The same, of the version before: it stores and understands what that one did."""

    def __init__(self, settings: Settings, clock: InstanceClock, clients: Clients, outside: Outside, seed: str) -> None:
        super().__init__(earlier_settings(settings), clock, clients, outside, seed)

    def store(self, workspace: str) -> WorkspaceStore:
        with patch.object(shared.store.workspace, "Database", EarlierDatabase):
            return super().store(workspace)
