"""Every fault point of flow 1, with a crash before it, a crash after it, a lost answer, a duplicate, a standstill."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from infra.sim.exchange import Exchange
from infra.sim.hub import Task
from infra.sim.instances import crash
from infra.sim.plays import PLAYS, Fixed
from infra.sim.run import Outcome, simulate
from infra.sim.scenario import Scenario
from infra.sim.watch import Watch
from infra.sim.weather import Plan
from infra.sim.world import World

MODES = ("crash before", "crash after", "lost answer", "duplicate", "zombie")
STANDSTILL_SECONDS = 390.0
"""Long enough for the sweep to have another execution take over."""
_CALM: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Case:
    """One fault at the first time that a play comes by a point; `point` is such as commit:operation.create."""

    play: str
    point: str
    mode: str


def cases() -> list[Case]:
    """Each point once, in the first play that comes by it, in every mode."""
    return [Case(play, point, mode) for point, play in points().items() for mode in MODES]


def points() -> dict[str, str]:
    """Every point that the plays come by, with the first play that does."""
    found: dict[str, str] = {}
    for play in PLAYS:
        for point in _reached(play):
            found.setdefault(point, play)
    return found


def run(case: Case) -> Outcome:
    """The world in which just this goes wrong."""
    return simulate(Plan(1, _CALM), _play(case.play), lambda world: _arm(world, case))


def _play(name: str) -> Callable[[World, Watch], Scenario]:
    return lambda world, watch: Fixed(world, watch, PLAYS[name])


def _reached(play: str) -> Iterator[str]:
    names: list[str] = []

    def prepare(world: World) -> None:
        world.at_point = lambda name, _task: names.append(name)

    outcome = simulate(Plan(1, _CALM), _play(play), prepare)
    if outcome.broken:
        raise AssertionError(f"the play {play} fails without any fault: {outcome.broken}")
    return iter(dict.fromkeys(name.partition("_")[2] for name in names if name.startswith("before_")))


def _arm(world: World, case: Case) -> None:
    """Let the fault happen once."""
    when = f"after_{case.point}" if case.mode == "crash after" else f"before_{case.point}"
    done: list[str] = []

    def at_point(name: str, task: Task) -> None:
        if name != when or done:
            return
        done.append(name)
        world.weather.record(f"{case.mode}#1", name)
        _go_wrong(world, case.mode, task)

    world.at_point = at_point


def _go_wrong(world: World, mode: str, task: Task) -> None:
    if mode == "lost answer":
        task.marks["loses"] = True
    elif mode == "duplicate":
        request: Any = task.marks["request"]
        world.front.again(task.owner.row.name, request, Exchange(world.hub))
    elif mode == "zombie":
        world.hub.sleep(STANDSTILL_SECONDS)
    else:
        crash(world.hub, task.owner, random.Random(0))
