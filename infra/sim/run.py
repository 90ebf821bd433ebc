"""One seed from its beginning to its rest: what happened, and which rules did not hold."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from infra.sim import final, marks
from infra.sim.hub import Broken
from infra.sim.scenario import Scenario
from infra.sim.watch import Watch
from infra.sim.weather import Fault, Plan
from infra.sim.world import World

LIMIT = 12_000.0
"""Seconds of virtual time after which a world that has not come to rest never will."""
QUIET = 640.0
"""It must stay at rest for so long: duplicates may come 600 s late."""
_LOOK = 60.0


@dataclass(frozen=True)
class Outcome:
    """What became of one seed. `broken` is empty when all is well."""

    plan: Plan
    digest: str
    broken: tuple[str, ...]
    faults: tuple[Fault, ...]
    marks: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    operations: int = 0
    switches: int = 0


Play = Callable[[World, Watch], Scenario]


def simulate(plan: Plan, play: Play = Scenario, prepare: Callable[[World], None] | None = None) -> Outcome:
    """Run a world until it rests; `prepare` may arm it first. What is broken is in the outcome, never raised."""
    world = World(plan)
    try:
        watch = Watch(world)
        with marks.watched(watch.observed):
            if prepare is not None:
                prepare(world)
            return _run(world, watch, play)
    finally:
        world.close()


def _run(world: World, watch: Watch, play: Play) -> Outcome:
    observed = watch.observed
    world.front.watch(lambda name, target, status, body: _answered(watch, name, target, status, body))
    scenario = play(world, watch)
    found: list[str] = []
    try:
        scenario.begin()
        _settle(world, watch, scenario)
        found = final.broken(world, observed, scenario)
    except Broken as broke:
        found = [str(broke)]
    counted = observed.marks + marks.of_the_end(observed, world.weather, scenario)
    return Outcome(
        plan=world.plan,
        digest=world.hub.digest(),
        broken=tuple(found),
        faults=tuple(world.weather.faults),
        marks=counted,
        seconds=world.hub.seconds,
        operations=len(observed.operations),
        switches=world.hub.switches,
    )


def _settle(world: World, watch: Watch, scenario: Scenario) -> None:
    """Let it run until it has been at rest for long enough: then nothing will ever happen again but sweeps."""
    rested = 0.0
    world.hub.run(lambda: False, _LOOK / 4)  # not at the full minute, when a sweep is under way
    while world.hub.seconds < LIMIT and rested < QUIET:
        world.hub.run(lambda: False, world.hub.seconds + _LOOK)
        rested = rested + _LOOK if _rests(world, watch, scenario) else 0.0


def _rests(world: World, watch: Watch, scenario: Scenario) -> bool:
    return (
        scenario.over
        and not any(each.running or each.fields.get("cancel_pending") for each in watch.observed.operations.values())
        and not world.active_executions()
        and world.services.eventarc.idle
        and not world.webhooks_under_way()
        and not any(task.owner is not None for task in world.hub.tasks())
    )


def _answered(watch: Watch, name: str, target: str, status: int, body: bytes) -> None:
    """Answers of functions: an internal error is a failure of the run; some are marks."""
    if status == 500:
        watch.observed.errors.append(f"{name}{target} answered 500")
    elif status == 200 and name == "reconcile":
        marks.swept(watch.observed, body)
    elif status == 200 and name == "research":
        marks.polled(watch.observed, body)
    elif status == 401 and name == "webhook":
        watch.observed.marks["webhook refused"] += 1


def describe(outcome: Outcome) -> str:
    """A few lines about a failing seed: what is broken, which faults there were, how to run it again."""
    lines = [f"seed {outcome.plan.seed}: {each}" for each in outcome.broken]
    lines += [f"    {fault.seconds:9.3f} s  {fault.key:16} {fault.where}" for fault in outcome.faults]
    return "\n".join([*lines, f"  again: {command(outcome.plan)}"])


def command(plan: Plan) -> str:
    """The command that runs this plan again."""
    chosen = "" if plan.kinds is None else f" --faults {','.join(sorted(plan.kinds)) or 'none'}"
    without = "" if not plan.left_out else f" --without {json.dumps(','.join(sorted(plan.left_out)))}"
    rates = "" if plan.intensity == 1.0 else f" --intensity {plan.intensity:g}"
    return f".venv/bin/python -m infra.sim --seed {plan.seed}{rates}{chosen}{without}"
