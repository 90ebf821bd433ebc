"""Every fault point of flow 1, with a crash before it, a crash after it, a lost answer, a duplicate, a standstill."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
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
    """Every point that the plays come by, with the first play that comes past it.

    A commit that another was quicker than comes to its point and not past it.
    """
    found: dict[str, str] = {}
    for side in ("after_", "before_"):
        for play, names in _named().items():
            for name in names:
                if name.startswith(side):
                    found.setdefault(name.removeprefix(side), play)
    return found


def reached() -> dict[str, tuple[str, ...]]:
    """The points that each play comes by, in the order of their first time."""
    return {
        play: tuple(name.removeprefix("before_") for name in names if name.startswith("before_"))
        for play, names in _named().items()
    }


@cache
def _named() -> dict[str, tuple[str, ...]]:
    """The sides of points that each play comes by, before_ and after_, in the order of their first time."""
    return {play: tuple(_heard(play)) for play in PLAYS}


def run(case: Case) -> Outcome:
    """The world in which just this goes wrong."""
    return run_all(case.play, [(case.point, case.mode)])


def run_all(play: str, faults: Sequence[tuple[str, str]]) -> Outcome:
    """The world of a play in which these (point, mode) happen in turn, each at the first time after the one before."""
    return simulate(Plan(1, _CALM), _play(play), lambda world: _arm(world, faults))


def _play(name: str) -> Callable[[World, Watch], Scenario]:
    return lambda world, watch: Fixed(world, watch, PLAYS[name])


def _heard(play: str) -> Iterator[str]:
    names: list[str] = []

    def prepare(world: World) -> None:
        world.at_point = lambda name, _task: names.append(name)

    outcome = simulate(Plan(1, _CALM), _play(play), prepare)
    if outcome.broken:
        raise AssertionError(f"the play {play} fails without any fault: {outcome.broken}")
    return iter(dict.fromkeys(names))


def _arm(world: World, faults: Sequence[tuple[str, str]]) -> None:
    """Let each fault happen once, in turn."""
    left = [(f"after_{point}" if mode == "crash after" else f"before_{point}", mode) for point, mode in faults]

    def at_point(name: str, task: Task) -> None:
        if not left or name != left[0][0]:
            return
        _, mode = left.pop(0)
        world.weather.record(f"{mode}#{len(faults) - len(left)}", name)
        _go_wrong(world, mode, task)

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
