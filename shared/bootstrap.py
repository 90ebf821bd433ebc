"""The one place that builds clients, lazily: what a function does not use, it neither loads nor connects to."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from shared import config, faultkill, redaction
from shared.clock import Clock, Spawn, SystemClock, in_thread
from shared.config import Settings
from shared.ids import IdSource, UlidSource
from shared.telemetry import starting as telemetry
from shared.telemetry.context import carried

if TYPE_CHECKING:
    from google.cloud.firestore_v1 import Client

    from shared.approvals.deciding import Deciding
    from shared.archive.compacting import Compaction
    from shared.archive.writing import Archive
    from shared.brain.recalling import Recalling
    from shared.brain.reconciling import BrainReconciler
    from shared.brain.service import Brain
    from shared.chat.reconciling import TurnReconciler
    from shared.chat.service import Chat
    from shared.contracts.recall import RecallAnswer
    from shared.documents.desk import Desk
    from shared.documents.sandbox import Workers
    from shared.documents.service import Documents
    from shared.enrich.service import Enriching
    from shared.gateway.objects import Objects
    from shared.gateway.pubsub import Publisher
    from shared.gateway.transport import Cut
    from shared.identity.entrance import Entrance
    from shared.llm.port import Models
    from shared.operations.service import Engine
    from shared.portability.exporting import Exporting
    from shared.portability.files import Files
    from shared.portability.importing import Importing
    from shared.research.reconciling import Reconciler
    from shared.research.service import Research
    from shared.routines.service import Routines
    from shared.runs.reconciling import RunReconciler
    from shared.runs.researching import AgentEngine
    from shared.runs.service import Runs
    from shared.search.documents import DocumentSearch
    from shared.search.service import Search
    from shared.sessions.assembly import SessionStores
    from shared.sessions.owned import OwnedSessions
    from shared.store.effects import Effect
    from shared.store.gate import Closed
    from shared.store.system import SystemStore
    from shared.store.workspace import WorkspaceStore
    from shared.tools.registry import Registry
    from shared.tools.services import Services
    from shared.tools.web import Web
    from shared.trace.gate import Gate
    from shared.usage.metering import Metering
    from shared.usage.pause import Pause
    from shared.usage.spending import Spending
    from shared.webhooks.service import Webhooks
    from shared.workspaces.service import Workspaces


class App:
    """Settings, seams, clients and services of a process; tests and simulations give their own seams."""

    def __init__(
        self,
        settings: Settings,
        *,
        clock: Clock | None = None,
        randomness: random.Random | None = None,
        ids: IdSource | None = None,
        spawn: Spawn = in_thread,
        gated: bool = True,
    ) -> None:
        """`gated`: nothing is written into a workspace that is being deleted."""
        self.settings, self._gated = settings, gated
        redaction.learn(settings.secrets())
        self.clock = clock or SystemClock()
        self.randomness = randomness or random.SystemRandom()
        self.ids = ids or UlidSource(self.clock, self.randomness)
        self.spawn: Spawn = lambda task, name: spawn(carried(task), name)

    @cached_property
    def firestore(self) -> Client:
        from shared.store.client import connect

        return connect(self.settings.project, self.settings.database)

    def store(self, workspace: str) -> WorkspaceStore:
        """The store of one workspace. Raises InputError for a name that is no id."""
        from shared.store.workspace import WorkspaceStore

        closed = self._closed if self._gated else None
        return WorkspaceStore(self.firestore, workspace, self.clock, self.randomness, self.ids, closed)

    @cached_property
    def _closed(self) -> Closed:
        """Which workspaces nothing is written into."""
        from shared.store.database import Database
        from shared.store.gate import Closed

        return Closed(Database(self.firestore, "", self.clock, self.randomness), self.clock)

    @cached_property
    def system_store(self) -> SystemStore:
        from shared.store.system import SystemStore

        rest = timedelta(seconds=self.settings.sweep_rest_seconds)
        return SystemStore(self.firestore, self.clock, self.randomness, rest)

    @cached_property
    def workspaces(self) -> Workspaces:
        from shared.store.deletions import Deletions
        from shared.workspaces.assembly import Beneath, Parts, workspaces

        def deletions() -> Deletions:
            return Deletions(self.firestore, self.clock, self.randomness, self.ids)

        below = self._beneath
        ending = Beneath(
            below.store,
            lambda *one: below.operations.cancel(*one),
            lambda *one: below.runs.cancel(*one),
            lambda *one: below.chat.cancel(*one),
        )
        parts = Parts(
            deletions=deletions,
            system=lambda: self.system_store,
            beneath=ending,
            files=self._files,
            session_stores=lambda: self.session_stores,
            executions=self.operations.ports.executions,
        )
        return workspaces(self.settings, parts, self.clock)

    @cached_property
    def _beneath(self) -> App:
        """The same, with stores that the deletion of a workspace does not close: it ends what runs there."""
        beneath = App(
            self.settings,
            clock=self.clock,
            randomness=self.randomness,
            ids=self.ids,
            spawn=self.spawn,
            gated=False,
        )
        beneath.firestore = self.firestore
        return beneath

    @cached_property
    def entrance(self) -> Entrance:
        """Who calls the public functions."""
        from shared.identity.assembly import entrance
        from shared.identity.stored import StoredMemberships

        return entrance(self.settings, self.clock, StoredMemberships(self.store, lambda: self.system_store))

    @cached_property
    def publisher(self) -> Publisher:
        from shared.gateway.pubsub import Publisher, connect

        return Publisher(connect(self.settings.pubsub_endpoint), self.settings.project, self.clock)

    @cached_property
    def objects(self) -> Objects:
        """Files. Raises SettingsError where OBJECTS_URL is empty or cannot be used."""
        from shared.gateway.objects import connect

        return connect(self.settings.objects_url, self.settings.objects_options)

    @property
    def _files(self) -> Callable[[], Objects] | None:
        """None where OBJECTS_URL is empty: then there is no place for files."""
        return (lambda: self.objects) if self.settings.objects_url else None

    @cached_property
    def gate(self) -> Gate:
        """How many streams this process holds open."""
        from shared.trace.gate import Gate

        return Gate()

    @cached_property
    def models(self) -> Models:
        from shared.llm.assembly import models

        return models(self.settings, self.clock, self.check_spending)

    @cached_property
    def research(self) -> Research:
        from shared.research.assembly import research

        engine = self._agent_engine() if self.settings.research_engine == "agent" else None
        return research(self.settings, self.store, self.spending, self.clock, self.pause, engine)

    @cached_property
    def operations(self) -> Engine:
        """What drives operations of every kind; one of research may have something to stop outside."""
        return self.research.engine

    def _agent_engine(self) -> AgentEngine:
        """Research by agent runs."""
        from shared.runs.researching import AgentEngine

        return AgentEngine(lambda: self.runs, self.store)

    @cached_property
    def webhooks(self) -> Webhooks:
        """What the research service tells unasked."""
        from shared.webhooks.assembly import webhooks

        return webhooks(self.settings, self.store, lambda: self.system_store, self.clock)

    @cached_property
    def documents(self) -> Documents:
        from shared.documents.assembly import documents

        return documents(self.operations, self._files, lambda: self.models, self.ids, self._document_workers)

    def services(self, workspace: str) -> Services:
        """What the tools use besides the store of that workspace."""
        from shared.tools.wiring import Above, WorkspaceServices

        return WorkspaceServices(
            workspace,
            lambda: self.search(workspace),
            lambda: self.research,
            lambda: self.web,
            Above(self._start_run, lambda *given: self.routines.asked_for(*given), self._recalled),
            lambda: self.desk(workspace),
        )

    def desk(self, workspace: str) -> Desk:
        """What tools do with the documents of that workspace."""
        from shared.documents.desk import Desk

        return Desk(self.store(workspace), lambda: self.document_search(workspace), self._files, self._document_workers)

    @cached_property
    def _document_workers(self) -> Workers:
        """The processes that open what strangers made."""
        from shared.documents.sandbox import Workers

        return Workers()

    @cached_property
    def web(self) -> Web:
        from shared.tools.web import Web

        return Web(self.settings, self.clock, self.check_spending)

    def search(self, workspace: str) -> Search:
        """The search in one workspace."""
        from shared.search.service import Search

        return Search(self.store(workspace), lambda: self.models.embed)

    @cached_property
    def archive(self) -> Archive | None:
        """None where OBJECTS_URL is empty: then there is no archive."""
        from shared.archive.writing import Archive

        return Archive(self.objects) if self.settings.objects_url else None

    @cached_property
    def compaction(self) -> Compaction | None:
        """None where there is no archive."""
        from shared.archive.compacting import Compaction

        return Compaction(self.objects, self.clock) if self.settings.objects_url else None

    def exporting(self, workspace: str) -> Exporting:
        """The documents of that workspace, to be taken elsewhere."""
        from shared.portability.exporting import Exporting
        from shared.store.raw import RawDocuments

        raw = RawDocuments(self.firestore, workspace)
        return Exporting(raw, workspace, self.ids, objects=self._files is not None)

    def importing(self, workspace: str) -> Importing:
        """What was exported, into that workspace."""
        from shared.portability.importing import Importing
        from shared.store.raw import RawDocuments

        admit = partial(self._closed.check, workspace) if self._gated else None
        return Importing(RawDocuments(self.firestore, workspace, admit), workspace)

    def workspace_files(self, workspace: str) -> Files:
        """The files of that workspace, to be taken elsewhere or in."""
        from shared.portability.files import Files

        return Files(self._files, self.store(workspace))

    @cached_property
    def metering(self) -> Metering:
        from shared.usage.metering import Metering

        return Metering(self.store)

    @cached_property
    def pause(self) -> Pause:
        """The switch that pauses all spending."""
        from shared.store.spending import SpendingSwitches
        from shared.usage.pause import Pause

        return Pause(SpendingSwitches(self.firestore, self.clock, self.randomness), self.clock)

    def _paused(self, workspace: str) -> bool:
        return self.pause.paused(workspace)

    def _check_spending(self, workspace: str) -> None:
        self.pause.check(workspace)

    def check_spending(self) -> None:
        """What everything that is paid for asks before each call. Raises SpendingPaused."""
        self.pause.check_here()

    @cached_property
    def spending(self) -> Spending:
        from shared.usage.spending import Spending

        settings = self.settings
        return Spending(
            self.store,
            self.clock,
            allow_agent_runs=settings.allow_agent_runs,
            monthly_usd=settings.monthly_usd,
        )

    def document_search(self, workspace: str) -> DocumentSearch:
        """The search in the documents of one workspace."""
        from shared.search.documents import DocumentSearch

        return DocumentSearch(self.store(workspace), lambda: self.models.embed)

    @cached_property
    def enriching(self) -> Enriching:
        from shared.enrich.service import Enriching

        return Enriching(self.store, lambda: self.models, self.clock)

    def deciding(self, workspace: str) -> Deciding:
        """Decisions on the changes proposed in one workspace."""
        from shared.approvals.deciding import Deciding
        from shared.tools.catalogue import acting

        store, services = self.store(workspace), self.services(workspace)
        internet, runs = self.settings.allow_internet_access, self.settings.allow_agent_runs
        return Deciding(store, services, acting(internet=internet, runs=runs), clock=self.clock, ids=self.ids)

    @cached_property
    def routines(self) -> Routines:
        from shared.routines.service import Ports, Routines
        from shared.tools.catalogue import proposing

        tools = partial(proposing, internet=self.settings.allow_internet_access)
        return Routines(
            Ports(self.store, lambda: self.system_store, self.services, lambda: self.models, tools, self.clock)
        )

    @cached_property
    def session_stores(self) -> SessionStores:
        """Where the checkpoints of conversations lie."""
        from shared.sessions.assembly import Parts, SessionStores

        return SessionStores(self.settings, Parts(self.store, self.clock, self.randomness))

    def _sessions(self, workspace: str) -> OwnedSessions:
        """The checkpoints of the conversations of that workspace."""
        return self.session_stores.of(workspace)

    @cached_property
    def chat(self) -> Chat:
        from shared.chat.assembly import Parts, chat

        parts = Parts(self.store, lambda: self.models, self.services, self._sessions, self.spawn, self._check_spending)
        return chat(self.settings, parts, self.clock, self.ids)

    @cached_property
    def turn_reconciler(self) -> TurnReconciler:
        from shared.chat.assembly import reconciler

        return reconciler(self.chat, lambda: self.system_store)

    @cached_property
    def runs(self) -> Runs:
        from shared.runs.assembly import Parts, runs

        parts = Parts(
            self.store,
            lambda: self.models,
            self.services,
            self._looking,
            lambda: self.spending,
            self.spawn,
            self._paused,
        )
        return runs(self.settings, parts, self.clock, self.ids)

    @cached_property
    def run_reconciler(self) -> RunReconciler:
        from shared.runs.assembly import reconciler

        return reconciler(self.runs, lambda: self.system_store)

    @cached_property
    def brain(self) -> Brain:
        from shared.brain.assembly import Parts, brain

        parts = Parts(self.store, lambda: self.models, self.spending, self.spawn, self._paused)
        return brain(self.settings, parts, self.clock, self.ids, self.randomness)

    @cached_property
    def brain_reconciler(self) -> BrainReconciler:
        from shared.brain.assembly import reconciler

        return reconciler(self.brain, lambda: self.system_store)

    def _looking(self) -> Registry:
        """The tools of a run's steps."""
        from shared.tools.catalogue import looking

        return looking(internet=self.settings.allow_internet_access)

    def _start_run(self, workspace: str, goal: str, actor: str, effect: Effect) -> Mapping[str, Any]:
        from shared.runs.from_chat import wanted_by

        return self.runs.begin_once(workspace, wanted_by(self.store(workspace), goal, actor), effect)

    def recall(self, workspace: str) -> Recalling:
        """What is remembered in one workspace."""
        from shared.brain.models import Roles
        from shared.brain.recalling import Recalling

        roles = Roles(lambda: self.models, by_rule=self.settings.brain_models == "rules")
        return Recalling(lambda: self.store(workspace), roles)

    def _recalled(self, workspace: str, query: str, limit: int, as_of: datetime | None, cut: Cut) -> RecallAnswer:
        return self.recall(workspace).recall(query, limit=limit, as_of=as_of, by_model=True, cut=cut)

    @cached_property
    def reconciler(self) -> Reconciler:
        from shared.research.assembly import reconciler

        return reconciler(self.research, lambda: self.system_store)


def check_settings() -> None:
    """Read the settings once where a function is imported, so that a wrong one ends the start. Raises SettingsError.

    They are not kept: what is asked for first decides the App, and a test may give its own.
    """
    settings = config.load()
    if settings.fault_kill:
        faultkill.parse(settings.fault_kill)
    telemetry.start(
        project=settings.project,
        service=settings.cloud_run_service,
        json_logs=settings.json_logs,
        otlp_endpoint=settings.otlp_endpoint,
        otlp_headers=settings.otlp_headers,
    )


_apps: list[App] = []


def app() -> App:
    """The process's one App, built from the environment when first asked for. Raises SettingsError."""
    if not _apps:
        settings = config.load()
        if settings.fault_kill:
            faultkill.install(settings.fault_kill)
        _apps.append(App(settings))
    return _apps[0]


def use(replacement: App | None) -> None:
    """Let `app` answer this one from now on; None forgets it, so that the next call builds it anew."""
    _apps[:] = [replacement] if replacement is not None else []
