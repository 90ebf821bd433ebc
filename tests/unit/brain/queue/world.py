"""The queue on a real Firestore whose server and clients share one clock, with agents of the test's own."""

from __future__ import annotations

import itertools
import random
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from google.cloud.firestore_v1 import Client

from infra.local.clock import Task, Timer
from shared.brain.agent import BrainAgent, Desk, ModelClass, NewJob, Outcome
from shared.brain.ports import Ports
from shared.brain.service import Brain
from shared.clock import Spawn
from shared.config import Settings
from shared.contracts.base import Model
from shared.contracts.brain_drain import DrainAnswer, DrainRequest, DrainStartRequest
from shared.contracts.jobs import MemoryJob
from shared.contracts.usage import UsageKind
from shared.contracts.workspaces import Feature
from shared.errors import MemexError
from shared.llm.port import Model as LanguageModel
from shared.store.workspace import WorkspaceStore
from shared.usage.spending import Amount
from tests.support.seams import CountingIds, FakeClock

WORKSPACE = "demo"
_workspaces = itertools.count(1)


class SharedClock(FakeClock):
    """The product's clock and the server's in one; nothing of the server's own upkeep happens."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()

    def advance(self, seconds: float) -> None:
        with self._lock:
            super().advance(seconds)

    def call_later(self, _seconds: float, task: Task, name: str) -> Timer:
        return Timer(self.now(), 0, task, name)

    def spawn(self, task: Task, name: str) -> None:
        threading.Thread(target=task, name=name, daemon=True).start()

    def close(self) -> None:
        return


class Given(Model):
    """What the agents of these tests take: a text, and a key under which they are in flight once."""

    text: str = ""
    key: str = ""


class Came(Model):
    """What they answer."""

    text: str = ""


Runs = Callable[[Given, Desk], Outcome]


def nothing(given: Given, _desk: Desk) -> Outcome:
    return Outcome({"text": given.text})


def scripted(
    name: str,
    run: Runs = nothing,
    *,
    depends_on: tuple[str, ...] = (),
    max_attempts: int = 3,
    timeout_ms: int = 60_000,
    model_class: ModelClass = "none",
) -> BrainAgent:
    return BrainAgent(
        id=name,
        description=f"The test's {name}.",
        model_class=model_class,
        input=Given,
        output=Came,
        run=run,
        reads=(),
        writes=(),
        depends_on=depends_on,
        idempotency_key=lambda given: given.key,
        max_attempts=max_attempts,
        timeout_ms=timeout_ms,
    )


@dataclass
class FakeExecutions:
    started: list[str] = field(default_factory=list)
    failing: MemexError | None = None
    dead: set[str] = field(default_factory=set)

    def alive(self, name: str) -> bool:
        return name not in self.dead

    def start(self, workflow: str, argument: Mapping[str, Any]) -> str:
        assert workflow == "brain"
        if self.failing is not None:
            raise self.failing
        self.started.append(argument["workspace"])
        return f"executions/e{len(self.started)}"


@dataclass
class FakeSpending:
    refusing: MemexError | None = None
    full: MemexError | None = None
    reserved: list[str] = field(default_factory=list)
    released: list[str] = field(default_factory=list)

    def require(self, workspace: str, feature: Feature) -> None:
        assert feature is Feature.BRAIN and workspace
        if self.refusing is not None:
            raise self.refusing

    def reserve(self, workspace: str, kind: UsageKind, work_id: str, most: Amount, *, seconds: float) -> None:
        assert kind is UsageKind.BRAIN and workspace and most.tokens > 0 and seconds > 0
        if self.full is not None:
            raise self.full
        self.reserved.append(work_id)

    def release(self, _workspace: str, work_id: str) -> None:
        self.released.append(work_id)


def no_watch(_task: Callable[[], None], _name: str) -> None:
    """Nobody looks out: time that only passes when somebody sleeps would run away."""


class QueueWorld:
    """One workspace's brain, driven by hand."""

    def __init__(self, client: Client, clock: SharedClock, *agents: BrainAgent, spawn: Spawn = no_watch) -> None:
        self.client, self.clock = client, clock
        self.workspace = f"b{next(_workspaces)}"
        self.agents = {agent.id: agent for agent in agents}
        self.executions, self.spending = FakeExecutions(), FakeSpending()
        self.model: LanguageModel | None = None
        self.spawn = spawn
        self.brain = self.another()

    def store(self, name: str = "") -> WorkspaceStore:
        ids = CountingIds(f"s{next(_workspaces)}")
        return WorkspaceStore(self.client, name or self.workspace, self.clock, random.Random(1), ids)

    def another(self) -> Brain:
        """A brain as a further process has it."""
        number = next(_workspaces)
        ports = Ports(
            store=self.store,
            agents=lambda: self.agents,
            model=lambda _class: self.model,
            embedder=lambda: None,
            executions=self.executions,
            spending=self.spending,
            clock=self.clock,
            ids=CountingIds(f"w{number}"),
            randomness=random.Random(number),
            settings=Settings(project="p"),
            spawn=self.spawn,
        )
        return Brain(ports)

    def put(self, kind: str, text: str = "", *, key: str = "", priority: int = 50, after: float = 0.0) -> MemoryJob:
        run_after = self.clock.now() + timedelta(seconds=after)
        new = NewJob(kind, {"text": text, "key": key}, priority=priority, run_after=run_after)
        return self.brain.enqueue(self.workspace, new)

    def job(self, job: MemoryJob | str) -> MemoryJob:
        return self.brain.job(self.workspace, job if isinstance(job, str) else job.id)

    def jobs(self) -> list[MemoryJob]:
        return list(self.brain.jobs(self.workspace, limit=1000)[0])

    def take(self, execution: str = "executions/e1", brain: Brain | None = None) -> DrainRequest:
        """The queue, taken over by an execution."""
        start = DrainStartRequest(workspace=self.workspace, execution=execution)
        answer = (brain or self.brain).start(start)
        assert answer.status == "running"
        return DrainRequest(workspace=self.workspace, fence=answer.fence, execution=execution)

    def drain(self, rounds: int = 100, until: Callable[[], bool] = lambda: False) -> DrainAnswer:
        """What the workflow does, with one lane; time passes while it sleeps."""
        request = self.take(f"executions/d{next(_workspaces)}")
        lanes: tuple[int, ...] = (1,)
        for _ in range(rounds):
            while lanes and self.brain.run(request).more:
                pass
            answer = self.brain.next(request)
            if answer.status != "running" or until():
                return answer
            request = request.model_copy(update={"fence": answer.fence})
            lanes = answer.lanes[:1]
            self.clock.advance(answer.wait_seconds)
        raise AssertionError(f"still draining after {rounds} rounds")

    def work_once(self) -> None:
        """One lane, until nothing is due."""
        request = self.take(f"executions/d{next(_workspaces)}")
        self.brain.run(request)
        self.give_back(request)

    def give_back(self, request: DrainRequest) -> None:
        from shared.contracts.brain_drain import DrainFailRequest

        self.brain.fail(DrainFailRequest(**request.model_dump(), message="over"))

    def counts(self) -> dict[str, int]:
        """The jobs of all agents by state, as the status tells."""
        return self.brain.status(self.workspace).jobs.model_dump()

    def counted(self) -> dict[str, int]:
        """The same by looking at every job."""
        found = Counter(job.status.value for job in self.jobs())
        return {name: found[name] for name in ("pending", "running", "done", "failed", "cancelled")}

    def events(self, agent: str) -> list[Mapping[str, Any]]:
        return [{"type": one.type, **one.data} for one in self.store().streams.read(f"brain/{agent}")]

    def keys(self) -> int:
        """How many idempotency keys are held."""
        leases = self.client.collection(f"workspaces/{self.workspace}/leases").stream()
        return sum(one.id.startswith("job_") for one in leases)

    def now(self) -> datetime:
        return self.clock.now()
