"""Runs scenarios, and keeps what was measured before where a new measure says the same."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from infra.cost import scripts
from infra.cost.recorder import Kind
from infra.cost.scenarios import SCHEDULED, Scenario
from infra.cost.world import COLD, World
from shared.config import Settings

HASTY = ("RESEARCH_POLL_MIN_SECONDS", "LAUNCH_LEASE_SECONDS", "CHAT_LEASE_SECONDS", "RUN_LEASE_SECONDS")
"""Settings that the local cloud makes shorter; here they are production's."""
SETTINGS = {
    **{field.metadata["env"]: str(field.default) for field in fields(Settings) if field.metadata["env"] in HASTY},
    "ALLOW_AGENT_RUNS": "on",
    "ALLOW_INTERNET_ACCESS": "off",
}
SHARE, NUMBER = 0.05, 4.0
"""Threads of one request meet in another order now and then, so that it reads once more: so much is no difference."""


@dataclass(frozen=True)
class Result:
    """`figures`: {"units": {name: amount}, "requests": {kind: {count, cold, waited, round_trips, reads}}}."""

    figures: dict[str, Any]
    own: Mapping[str, list[float]]
    """Seconds of this machine that each request took, by kind."""


def measure(scenario: Scenario) -> Result:
    """Play a scenario in a world of its own. Raises TimeoutError, httpx.HTTPStatusError."""
    with (
        tempfile.TemporaryDirectory(prefix="memex-cost-") as folder,
        World(Path(folder), scenario.start, **SETTINGS, **scenario.settings) as world,
    ):
        for title, body in scripts.NOTES:
            world.write_note(title, body)
        scenario.prepare(world)
        world.pass_time(COLD)
        documents, objects = world.stored_bytes(), world.object_bytes()
        world.recorder.clear()
        scenario.act(world)
        stored = {
            "firestore.stored_bytes": world.stored_bytes() - documents,
            "storage.stored_bytes": world.object_bytes() - objects,
        }
        return _result(world, scenario, stored)


def _result(world: World, scenario: Scenario, stored: Mapping[str, float]) -> Result:
    kinds = dict(world.recorder.kinds)
    units: dict[str, float] = {f"{a}.{b}": amount for (a, b), amount in world.recorder.totals().items()}
    for name in set(SCHEDULED) - set(scenario.scheduled):
        for unit, amount in kinds.pop(name, Kind()).units.items():
            units[unit] -= amount
    billed = {name: amount for name, amount in units.items() if not name.startswith(("functions.", "scheduler."))}
    figures = {
        "what": scenario.what,
        "units": {name: round(amount) for name, amount in sorted({**billed, **stored}.items()) if round(amount)},
        "requests": {name: _row(kind) for name, kind in sorted(kinds.items())},
    }
    return Result(figures, {name: kind.own for name, kind in kinds.items()})


def _row(kind: Kind) -> dict[str, float]:
    return {
        "count": kind.count,
        "cold": kind.cold,
        "waited": round(kind.waited, 1),
        "round_trips": kind.round_trips,
        "reads": round(kind.units["firestore.document_reads"]),
    }


def medians(results: Iterable[Result]) -> dict[str, float]:
    """Seconds by kind of request, over all scenarios."""
    found: dict[str, list[float]] = {}
    for result in results:
        for kind, seconds in result.own.items():
            found.setdefault(kind, []).extend(seconds)
    return {kind: round(statistics.median(seconds), 4) for kind, seconds in sorted(found.items())}


def settled(old: Any, new: Any) -> Any:
    """The new figures, with the old one wherever it says the same."""
    if isinstance(old, dict) and isinstance(new, dict):
        return {name: settled(old.get(name), value) for name, value in new.items()}
    return old if old is not None and same(old, new) else new


def same(old: Any, new: Any) -> bool:
    """Whether two figures, or all figures of two tables, say the same."""
    if isinstance(old, dict) and isinstance(new, dict):
        names = old.keys() | new.keys()
        return all(same(old.get(name, 0), new.get(name, 0)) for name in names)
    if isinstance(old, int | float) and isinstance(new, int | float):
        return abs(old - new) <= max(NUMBER, SHARE * max(abs(old), abs(new)))
    if isinstance(old, dict) or isinstance(new, dict):  # a kind of request that is there in one of them alone
        return same(old or {}, new or {}) if not (old and new) else False
    return bool(old == new)
