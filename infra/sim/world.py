"""The whole of Memex in this thread: the parts of the local cloud, function instances, and a seed."""

from __future__ import annotations

import itertools
import os
import random
import shutil
import tempfile
import uuid
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import shared.gateway.transport
from infra.local.aiplatform.service import AiPlatformPart
from infra.local.aiplatform.webhooks.ports import Outside as WebhookOutside
from infra.local.environment import Place, settings_of, workflow_environment
from infra.local.eventarc.lane import RetryPolicy
from infra.local.eventarc.part import EventarcPart, EventarcSettings
from infra.local.faults import EventFault, Faults
from infra.local.firestore.service import FirestorePart
from infra.local.front.app import services
from infra.local.front.invoker import account_address
from infra.local.functions.apps import build, read_manifest
from infra.local.meter import Meter
from infra.local.pubsub.service import PubSubPart
from infra.local.scheduler import SchedulerPart
from infra.local.workflows.service import WorkflowsPart
from infra.sim import flows
from infra.sim.apps import EarlierApp, Outside, SimApp
from infra.sim.channel import Server, streams_kept
from infra.sim.clients import Clients, clients, http_client
from infra.sim.clock import InstanceClock, SimClock
from infra.sim.earlier import WORKFLOWS as EARLIER_WORKFLOWS
from infra.sim.front import Front, Tokens
from infra.sim.hub import Hub, Task
from infra.sim.instances import Instance, Pools, crash
from infra.sim.memory import kept_in_memory
from infra.sim.model_service import ModelService
from infra.sim.network import Network
from infra.sim.pulse import SimPulse
from infra.sim.weather import Plan, Weather
from infra.sim.webhooks import SHARE, CallbackService, Deliveries, KnownKeys, ServiceKey
from shared import bootstrap, faultpoint
from shared.config import Settings
from shared.contracts.manifest import Manifest, WorkflowRow

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

ROOT = Path(__file__).resolve().parents[2]
PROJECT, LOCATION, WORKSPACE, TOKEN = "memex-local", "us-central1", "demo", "a-token-for-the-simulation"
PLACE = Place(PROJECT, LOCATION, WORKSPACE, "http://127.0.0.1:9", "sim", TOKEN)
LEASE_SECONDS, DEADLINE_SECONDS, ERROR_LIMIT_SECONDS = 30.0, 900.0, 300.0
SETTINGS = {
    "LAUNCH_LEASE_SECONDS": str(LEASE_SECONDS),
    "RESEARCH_DEADLINE_SECONDS": str(DEADLINE_SECONDS),
    "RESEARCH_ERROR_LIMIT_SECONDS": str(ERROR_LIMIT_SECONDS),
    "SSE_SECONDS": "60",
    "SWEEP_REST_SECONDS": "0",  # a world ends before a walk would have rested
    "MODEL_BACKEND": "none",
    "MONTHLY_USD": "1000000",  # never reached: what a run may cost is set aside all the same
}
POLL_SECONDS = ("5", "10", "20")
"""The first wait between two polls, chosen by the seed: worlds differ, and most need not pay for many polls."""
RUN_SECONDS = 60.0


@dataclass
class Services:
    """The parts of the cloud."""

    firestore: FirestorePart
    pubsub: PubSubPart
    workflows: WorkflowsPart
    aiplatform: AiPlatformPart
    eventarc: EventarcPart
    scheduler: SchedulerPart


class _EventFaults(Faults):
    """Events that come late, so that older ones arrive after newer ones."""

    def __init__(self, clock: SimClock, weather: Weather) -> None:
        super().__init__(clock)
        self._weather = weather

    def event(self, function: str) -> EventFault:
        chance = self._weather.happens("delay", f"event for {function}", 3.0)
        return EventFault(delay_seconds=chance.uniform(1.0, 400.0)) if chance else EventFault()


@dataclass
class World:
    """One world. Let it run by `hub.run`; `close` it."""

    plan: Plan
    hub: Hub = field(init=False)
    weather: Weather = field(init=False)

    def __post_init__(self) -> None:
        self._ends = ExitStack()
        self._manifest = flows.of_world(_manifest(), self.plan.seed)
        self.hub = Hub(self.plan.seed)
        self.clock = SimClock(self.hub)
        self.weather = Weather(self.hub, self.plan)
        self.meter = Meter()
        self.clients: Clients = clients()
        self.chance = self.hub.random
        self.points: list[str] = []
        self.at_point: Any = None
        self.stood_still: Callable[[Task, random.Random], None] = lambda _task, _chance: None
        """Hears of each task that begins to stand still, with the random numbers of that fault."""
        self._asked: Callable[[str], None] = lambda _verb: None
        self._answered: Callable[[str, int, str], None] = lambda _verb, _status, _id: None
        self._directory = Path(tempfile.mkdtemp(prefix="memex-sim-", dir=_fast_disk()))
        self._ends.callback(shutil.rmtree, self._directory, ignore_errors=True)
        self._ends.enter_context(streams_kept())
        with self.hub.locks.watched(), kept_in_memory():
            self._build()
        self._install()

    def close(self) -> None:
        """End everything that is left, without a word to the outside. Idempotent."""
        self.hub.close()
        self._ends.close()

    # Building

    def _build(self) -> None:
        manifest, hub = self._manifest, self.hub
        poll = random.Random(f"poll/{self.plan.seed}").choice(POLL_SECONDS)
        webhooks = "auto" if random.Random(f"wake/{self.plan.seed}").random() < SHARE else "off"
        chosen = {**SETTINGS, "RESEARCH_POLL_MIN_SECONDS": poll, "RESEARCH_WEBHOOKS": webhooks}
        settings = Settings.from_env(settings_of(PLACE, manifest, {}, chosen))
        rows = {row.name: row for row in manifest.functions}
        pools = Pools(self.weather, hub, _applications(), lambda name, earlier: self._app(settings, name, earlier))
        self.pools = pools
        self.front = Front(hub, self.weather, pools, rows, PLACE.function_url)
        self.webhooks = Deliveries(hub, self.weather, self.front)
        self.services = self._services(manifest)
        server = Server(
            [
                *self.services.firestore.handlers(),
                *self.services.pubsub.handlers(),
                *self.services.workflows.handlers(),
            ]
        )
        self.clients.instances.server = self.clients.people.server = server
        self.network = Network(hub, self.weather)
        self.clients.instances.carry = self.network.carry
        application = services([self.services.aiplatform.blueprint()], Faults(self.clock))
        self.model = ModelService(
            hub,
            self.weather,
            application,
            lambda verb: self._asked(verb),
            lambda verb, status, identity: self._answered(verb, status, identity),
        )
        called_back = services([self.services.workflows.blueprint()], Faults(self.clock))
        self.outside = Outside(
            http=http_client(self.model),
            callbacks=http_client(CallbackService(hub, self.weather, called_back)),
            keys=KnownKeys(self.weather),
        )

    def _services(self, manifest: Manifest) -> Services:
        where, clock, meter = self._directory, self.clock, self.meter
        numbers = itertools.count(1)

        def new_id() -> str:
            return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self.plan.seed}/{next(numbers)}"))

        workflows = WorkflowsPart(where, clock, meter, PROJECT, LOCATION, Tokens(), http=self.front.http, new_id=new_id)
        eventarc = EventarcSettings(manifest.functions, PROJECT, location=LOCATION, policy=RetryPolicy(min_seconds=10))
        sending = WebhookOutside(self.webhooks.post, ServiceKey(), self.webhooks.fault)
        platform = AiPlatformPart(where, clock, meter, RUN_SECONDS, outside=sending)
        platform._runs.pulse = SimPulse(self.hub)  # type: ignore[assignment]
        return Services(
            firestore=FirestorePart(where, clock, meter, ROOT / "infra" / "firestore.indexes.json"),
            pubsub=PubSubPart(where, clock, meter, Tokens()),
            workflows=workflows,
            aiplatform=platform,
            eventarc=EventarcPart(where, clock, meter, eventarc, _EventFaults(clock, self.weather)),
            scheduler=SchedulerPart(manifest.functions, clock, meter, self.front.post),
        )

    def _app(self, settings: Settings, name: str, earlier: bool) -> bootstrap.App:
        clock = InstanceClock(self.hub, self.weather.skew(name))
        return (EarlierApp if earlier else SimApp)(
            settings, clock, self.clients, self.outside, f"{self.plan.seed}/{name}"
        )

    def _install(self) -> None:
        hub, parts, manifest = self.hub, self.services, self._manifest
        hub.entered, hub.at_seam = _enter, self._at_seam
        faultpoint.install(self._at_point)
        self._ends.callback(faultpoint.install, None)
        self._ends.callback(bootstrap.use, None)
        transport: Any = shared.gateway.transport
        self._ends.callback(setattr, transport, "threading", transport.threading)
        transport.threading = self.model.threading()
        for topic in manifest.topics:
            parts.pubsub.ensure_topic(f"projects/{PROJECT}/topics/{topic.name}")
        self._deploy_workflows(manifest)
        self._ends.callback(_close, parts)
        parts.eventarc.start(parts.firestore.changes, self.front.deliver)
        parts.scheduler.start()

    def _deploy_workflows(self, manifest: Manifest) -> None:
        """The workflows of the manifest: at once, or their earlier revisions first."""

        def put(row: WorkflowRow, source: Path) -> None:
            account = account_address(row.service_account, PROJECT)
            self.services.workflows.deploy(row.name, source, workflow_environment(row.env, PLACE), account)

        for row in manifest.workflows:
            before, deploy = EARLIER_WORKFLOWS / f"{row.name}.yaml", self.weather.deploy
            if deploy is None or not before.exists():
                put(row, ROOT / row.source)
                continue
            put(row, before)
            self.hub.at(deploy.workflow_at, lambda row=row: put(row, ROOT / row.source), f"deploy {row.name}")  # type: ignore[misc]

    # What happens to instances

    def _at_seam(self, task: Task) -> None:
        """Every await of an instance: here it may die, or stand still for long."""
        instance = task.owner
        if not isinstance(instance, Instance):
            return
        if chance := self.weather.happens("crash", task.name):
            crash(self.hub, instance, chance)
        weight = 2.0 if instance.row.name == "research" else 1.0
        if not task.marks.get("zombie") and (chance := self.weather.happens("zombie", task.name, weight)):
            task.marks["zombie"] = True
            self.stood_still(task, chance)
            self.hub.sleep(chance.uniform(100.0, 1_500.0))
            task.marks["zombie"] = False
            self.hub.note(f"{task.name} goes on")

    def _at_point(self, name: str) -> None:
        """A named fault point of the product."""
        self.hub.note(name)
        task = self.hub.current
        if task is None or not isinstance(task.owner, Instance):
            return
        if self.at_point is not None:
            self.at_point(name, task)
        if chance := self.weather.happens("crash", name, 4.0):
            crash(self.hub, task.owner, chance)

    # Being watched

    def watch_model(self, asked: Callable[[str], None], answered: Callable[[str, int, str], None]) -> None:
        """`asked` hears of every request to the research service, `answered` of what it did."""
        self._asked, self._answered = asked, answered

    def watch_calls(self, applied: Callable[[str, bytes], None]) -> None:
        """`applied` hears of every gRPC call of an instance that was applied."""
        self.clients.instances.applied = applied

    def execution_state(self, name: str) -> str:
        """ACTIVE, SUCCEEDED, FAILED, CANCELLED, or "" for an unknown execution."""
        row = self.services.workflows._store.execution(name.rpartition("/")[2])
        return row.state if row else ""

    def runs_earlier_workflow(self, execution: str) -> bool:
        """Whether an execution began on the revision before the present one."""
        store = self.services.workflows._store
        row = store.execution(execution.rpartition("/")[2])
        revision = None if row is None else store.revision(row.workflow, row.revision)
        return revision is not None and Path(revision.file).parent == EARLIER_WORKFLOWS

    def run_was_cancelled(self, identity: str) -> bool:
        """Whether a paid run was stopped before it had ended."""
        return self.services.aiplatform._runs.look(identity)[0].cancelled_at is not None

    def webhooks_under_way(self) -> list[str]:
        """What the service still tries to tell."""
        return [each["about"] for each in self.services.aiplatform.webhooks.deliveries() if each["state"] == "waiting"]

    def active_executions(self) -> list[str]:
        """Ids of the executions that have not ended."""
        return self.services.workflows._store.active()


def _enter(task: Task) -> None:
    if isinstance(task.owner, Instance):
        task.owner.enter()


def _close(parts: Services) -> None:
    parts.workflows.close()
    parts.scheduler.close()
    parts.eventarc.close()
    parts.pubsub.close()
    parts.aiplatform.close()
    parts.firestore.close()


@cache
def _manifest() -> Manifest:
    return read_manifest(ROOT)


@cache
def _applications() -> dict[str, WSGIApplication]:
    # A function checks its settings when it is loaded.
    with patch.dict(os.environ, settings_of(PLACE, _manifest(), {}, SETTINGS)):
        wanted = {name for flow in flows.FLOWS for name in (*flow.functions, *flow.beside)}
        return {row.name: build(ROOT, row) for row in _manifest().functions if row.name in wanted}


def _fast_disk() -> str | None:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108 - memory, where there is such a place
