"""Runs on a real Firestore, with models that follow rules, tools of the test, and a driver in place of the workflow."""

from __future__ import annotations

import json
import random
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from google.cloud.firestore_v1 import Client

from shared.clock import SystemClock
from shared.config import Settings
from shared.contracts.base import Model
from shared.contracts.events import Event
from shared.contracts.run_calls import PhaseAnswer, PlanRequest, WorkRequest
from shared.contracts.runs import AgentRun, RunStep
from shared.contracts.sources import Source
from shared.contracts.usage import UsageKind
from shared.errors import MemexError
from shared.ids import UlidSource
from shared.llm.port import Call, ModelRequest, Result, Text
from shared.runs.beginning import Wanted
from shared.runs.ports import Key, Ports
from shared.runs.service import Runs
from shared.store.workspace import WorkspaceStore
from shared.tools.registry import Registry
from shared.tools.tool import Job, Tool
from shared.usage.spending import Amount
from tests.support.scripted_model import Line, RuledModel

GOAL = "What does each of the three bakeries charge?"


@dataclass
class FakeExecutions:
    """Remembers what was started and cancelled; `failing` raises instead."""

    started: list[Mapping[str, Any]] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)
    dead: set[str] = field(default_factory=set)
    failing: MemexError | None = None

    def start(self, workflow: str, argument: Mapping[str, Any]) -> str:
        if self.failing is not None:
            raise self.failing
        self.started.append({"workflow": workflow, **argument})
        return f"executions/e{len(self.started)}"

    def alive(self, name: str) -> bool:
        return name not in self.dead

    def cancel(self, name: str) -> None:
        self.cancelled.append(name)


@dataclass
class FakeSpending:
    """Remembers what was reserved and settled; `refusing` refuses."""

    reserved: dict[str, Amount] = field(default_factory=dict)
    settled: dict[str, Amount] = field(default_factory=dict)
    released: list[str] = field(default_factory=list)
    refusing: MemexError | None = None

    def reserve(self, workspace: str, kind: UsageKind, work_id: str, most: Amount, *, seconds: float) -> None:
        assert kind is UsageKind.RUN and seconds > 0 and workspace
        if self.refusing is not None:
            raise self.refusing
        self.reserved[work_id] = most

    def settle(self, workspace: str, work_id: str, used: Amount) -> None:
        self.settled[work_id] = used

    def release(self, workspace: str, work_id: str) -> None:
        self.released.append(work_id)


class Query(Model):
    """What the tools of these tests take."""

    query: str


def _sources(answer: Mapping[str, Any]) -> tuple[Source, ...]:
    return tuple(Source(title=name, note_id=name, passage=f"It says {name}.") for name in answer["notes"])


@dataclass
class Bench:
    """`look` finds the notes named in `known`; `block` waits until it is opened or cut."""

    known: Callable[[str], list[str]] = lambda query: [f"note-{query}"]
    ran: list[str] = field(default_factory=list)
    reached: threading.Event = field(default_factory=threading.Event)
    opened: threading.Event = field(default_factory=threading.Event)
    cut: threading.Event = field(default_factory=threading.Event)

    def registry(self) -> Registry:
        def look(_job: Job, arguments: Query) -> Mapping[str, Any]:
            """Looks."""
            self.ran.append(arguments.query)
            return {"notes": self.known(arguments.query)}

        def block(job: Job, arguments: Query) -> Mapping[str, Any]:
            """Waits."""
            self.ran.append(arguments.query)
            self.reached.set()
            while not self.opened.wait(0.01):
                if job.cut.reason:
                    self.cut.set()
                    break
            return {"notes": []}

        return Registry((Tool("look", Query, look, sources=_sources), Tool("block", Query, block, sources=_sources)))


def step(name: str, *depends_on: str, tool: str = "sub_agent") -> dict[str, Any]:
    return {"id": name, "title": f"Step {name}", "task": f"find {name}", "tool": tool, "depends_on": list(depends_on)}


def plan(*steps: Mapping[str, Any]) -> Line:
    return [Text(json.dumps({"steps": steps}))]


def claiming(key: Key, execution: str = "executions/e1") -> PlanRequest:
    """What an execution says first."""
    return PlanRequest(workspace=key.workspace, run_id=key.run_id, execution=execution)


def task_of(request: ModelRequest) -> str:
    """What the step of a working model's request is to find."""
    text = request.messages[0].parts[0]
    assert isinstance(text, Text)
    found = re.search(r"<task>\s*find (\S+)", text.text)
    return found[1] if found else ""


def results_of(request: ModelRequest) -> list[Mapping[str, Any]]:
    return [part.content for message in request.messages for part in message.parts if isinstance(part, Result)]


def look(query: str, n: int = 1, tool: str = "look") -> Call:
    return Call(f"c{n}", tool, {"query": query})


def working(request: ModelRequest) -> Line:
    """Looks once, and tells what it found."""
    name, results = task_of(request), results_of(request)
    if not results:
        return [look(name)]
    ids = [one["id"] for one in results[-1].get("cite_as", ())]
    return [Text(f"Found {name} {' '.join(ids)}" if ids else f"Nothing about {name}.")]


def citing(request: ModelRequest) -> Line:
    """An answer with every source there is."""
    text = request.messages[0].parts[0]
    assert isinstance(text, Text)
    ids = re.findall(r'<source id="([\d.]+)"', text.text)
    return [Text("The answer: " + " ".join(f"this [{name}]" for name in ids))]


class World:
    """`runs` is one process; `other()` another one beside it, on the same database."""

    def __init__(self, client: Client, workspace: str, **settings: Any) -> None:
        self.client, self.workspace, self.clock = client, workspace, SystemClock()
        self.planned: list[Line] = []
        self.synthesis: Callable[[ModelRequest], Line] = citing
        self.plan_model = RuledModel(self._planning, name="planner-1")
        self.work_model = RuledModel(working, name="worker-1")
        self.tools, self.executions, self.spending = Bench(), FakeExecutions(), FakeSpending()
        quick = {"chat_retry_seconds": 0.01, "run_retry_seconds": 0.05, "launch_lease_seconds": 5.0}
        self.settings = Settings(project="p", **{**quick, **settings})
        self._ids = UlidSource(self.clock, random.Random(7))
        self.store = self._store(workspace)
        self.runs = self.other()

    def other(self, **ports: Any) -> Runs:
        given: dict[str, Any] = {
            "store": self._store,
            "plan_model": lambda: self.plan_model,
            "work_model": lambda: self.work_model,
            "tools": self.tools.registry,
            "services": lambda _workspace: None,
            "executions": self.executions,
            "spending": self.spending,
            "clock": self.clock,
            "ids": self._ids,
            "settings": self.settings,
        }
        return Runs(Ports(**{**given, **ports}))

    def _store(self, workspace: str) -> WorkspaceStore:
        return WorkspaceStore(
            self.client, workspace, self.clock, random.Random(1), UlidSource(self.clock, random.Random())
        )

    def _planning(self, request: ModelRequest) -> Line:
        return self.planned.pop(0) if request.schema is not None else self.synthesis(request)

    def begin(self, *steps: Mapping[str, Any], goal: str = GOAL, **wanted: Any) -> Key:
        """A run whose plan will be these steps."""
        if steps:
            self.planned.append(plan(*steps))
        run, _created = self.runs.begin(self.workspace, Wanted(goal, **wanted))
        return Key(self.workspace, run.id)

    def drive(self, key: Key, execution: str = "executions/e1", runs: Runs | None = None) -> PhaseAnswer:
        """What workflows/agent_run.yaml does, with a thread for each lane."""
        runs = runs or self.runs
        request = claiming(key, execution)
        answer = runs.plan(request)
        work = WorkRequest(workspace=key.workspace, run_id=key.run_id, fence=answer.fence)
        for _ in range(50):
            if answer.next == "done":
                return answer
            self.clock.sleep(min(answer.wait_seconds, 0.1))
            if answer.next == "plan":
                answer = runs.plan(request)
            elif answer.next == "synthesise":
                answer = runs.synthesise(work)
            else:
                lanes = [threading.Thread(target=self.lane, args=(runs, work), daemon=True) for _ in answer.lanes]
                for lane in lanes:
                    lane.start()
                for lane in lanes:
                    lane.join(30)
                answer = runs.checkpoint(work)
        raise AssertionError("the run does not end")

    def lane(self, runs: Runs, work: WorkRequest) -> None:
        for _ in range(500):
            answer = runs.step(work)
            if not answer.more:
                return
            self.clock.sleep(min(answer.wait_seconds, 0.05))
        raise AssertionError("the lane does not end")

    def run(self, key: Key) -> AgentRun:
        return self.store.runs.get(key.run_id)

    def steps(self, key: Key) -> dict[str, RunStep]:
        """The steps by title: "Plan", "Step a", "Answer"."""
        return {one.title: one for one in self.store.runs.steps(key.run_id)}

    def frames(self, key: Key) -> list[Event]:
        return self.store.streams.read(f"agent_runs/{key.run_id}", limit=500)

    def types(self, key: Key) -> list[str]:
        return [event.type for event in self.frames(key)]


MakeWorld = Callable[..., World]
