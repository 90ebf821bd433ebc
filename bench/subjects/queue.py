"""The brain's queue: how many jobs a second are enqueued, and drained by four lanes, on either Firestore."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from google.cloud import firestore

from bench import servers
from bench.lab import Lab
from bench.row import GOOGLE, LOCAL, Row, own_row, rate_row
from bench.timing import Plan, Prepared, compare, timed
from shared.brain.agent import BrainAgent, Desk, NewJob, Outcome
from shared.brain.ports import Ports
from shared.brain.service import Brain
from shared.clock import SystemClock
from shared.config import Settings
from shared.contracts.base import Model
from shared.contracts.brain_drain import DrainRequest, DrainStartRequest
from shared.contracts.usage import UsageKind
from shared.contracts.workspaces import Feature
from shared.ids import UlidSource
from shared.store.workspace import WorkspaceStore
from shared.usage.spending import Amount

LANES, JOBS = 4, 40
STATUS_MS = 20.0
_workspaces = itertools.count(1)


class Key(Model):
    """What the agent takes: with a key it is in flight once."""

    key: str = ""


class Nothing(Model):
    """What it answers."""


class Started:
    """Nobody starts a workflow: the lanes are the benchmark's own."""

    def start(self, _workflow: str, _argument: Mapping[str, Any]) -> str:
        return "executions/bench"

    def alive(self, _name: str) -> bool:
        return True


class Allowed:
    """The brain is on, and there is no quota."""

    def require(self, _workspace: str, _feature: Feature) -> None:
        return

    def reserve(self, _workspace: str, _kind: UsageKind, _work_id: str, _most: Amount, *, seconds: float) -> None:
        del seconds

    def release(self, _workspace: str, _work_id: str) -> None:
        return


def run(lab: Lab) -> Iterator[Row]:
    server = lab.running(lambda: servers.memex_up("--no-functions"))  # for the product's indexes
    clients = {LOCAL: lab.firestore_client(server.address)}
    if GOOGLE in lab.firestores:
        clients[GOOGLE] = lab.firestores[GOOGLE]
    brains = {side: _brain(client) for side, client in clients.items()}
    plan = Plan(lab.rounds(9), warm_up=4)
    yield _rate(brains, f"enqueue, {LANES} at once", lambda brain: (brain, _fresh()), _filled, plan)
    keyed = partial(_filled, keyed=True)
    yield _rate(brains, f"enqueue with a key, {LANES} at once", lambda brain: (brain, _fresh()), keyed, plan)
    yield _rate(brains, f"drain by {LANES} lanes", _full, _drained, plan)
    brain, workspace = brains[LOCAL], _fresh()
    for _ in range(25):
        _filled((brain, workspace))
    times = [timed(partial(brain.status, workspace)) * 1000 for _ in range(lab.rounds(20))]
    yield own_row("queue", f"status of the agents with {25 * JOBS:,} jobs", "ms", times, STATUS_MS)


def _rate(
    brains: Mapping[str, Brain],
    what: str,
    prepare: Callable[[Brain], tuple[Brain, str]],
    act: Callable[[tuple[Brain, str]], None],
    plan: Plan,
) -> Row:
    sides = {side: Prepared(lambda _n, one=brain: prepare(one), act) for side, brain in brains.items()}  # type: ignore[misc]
    return rate_row("queue", what, JOBS, compare(sides, plan))


def _brain(client: firestore.Client) -> Brain:
    clock, randomness = SystemClock(), random.Random(1)
    ids = UlidSource(clock, randomness)
    agent = BrainAgent(
        id="echo",
        description="Does nothing.",
        model_class="none",
        input=Key,
        output=Nothing,
        run=_echo,
        reads=(),
        writes=(),
        idempotency_key=lambda given: given.key,
    )
    ports = Ports(
        store=lambda name: WorkspaceStore(client, name, clock, randomness, ids),
        agents=lambda: {agent.id: agent},
        model=lambda _class: None,
        embedder=lambda: None,
        executions=Started(),
        spending=Allowed(),
        clock=clock,
        ids=ids,
        randomness=randomness,
        settings=Settings(project="memex-local"),
    )
    return Brain(ports)


def _echo(_given: Key, _desk: Desk) -> Outcome:
    return Outcome({})


def _fresh() -> str:
    return f"queue-{next(_workspaces)}"


def _filled(place: tuple[Brain, str], *, keyed: bool = False) -> None:
    brain, workspace = place
    with ThreadPoolExecutor(LANES) as pool:
        jobs = [NewJob("echo", {"key": str(n) if keyed else ""}) for n in range(JOBS)]
        list(pool.map(lambda new: brain.enqueue(workspace, new), jobs))


def _full(brain: Brain) -> tuple[Brain, str]:
    place = (brain, _fresh())
    _filled(place)
    return place


def _drained(place: tuple[Brain, str]) -> None:
    brain, workspace = place
    started = brain.start(DrainStartRequest(workspace=workspace, execution="executions/bench"))
    request = DrainRequest(workspace=workspace, fence=started.fence, execution="executions/bench")

    def lane(_: int) -> None:
        while brain.run(request).more:
            pass

    with ThreadPoolExecutor(LANES) as pool:
        list(pool.map(lane, range(LANES)))
    done = brain.status(workspace).jobs.done
    if done != JOBS:
        raise AssertionError(f"{done} of {JOBS} jobs are done")
