"""Every fault point of flow 1, with each thing that can happen there."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from infra.sim import exhaustive, flows
from infra.sim.exhaustive import MODES, Case
from infra.sim.run import describe

ROOT = Path(__file__).resolve().parents[2]
FOUND_BY_SEEDS_ALONE = {"commit:operation.orphan"}
"""Needs two things to go wrong at once: a run that came too late, and a service that does not take its cancel."""
NO_COMMIT = {"commit:note.look"}
ANOTHER_FLOW = {"commit:claim.from_file"}
"""Notes that come in from files: nobody does that in flow 1, and research does not follow from it."""


@cache
def _points() -> dict[str, str]:
    return exhaustive.points()


def _named_in_the_code() -> set[str]:
    found: set[str] = set()
    packages = [package for flow in flows.FLOWS for package in flow.packages]
    for path in (path for package in packages for path in (ROOT / package).rglob("*.py")):
        text = path.read_text()
        found |= {f"commit:{name}" for name in re.findall(r'point="([\w.]+)"', text)}
        found |= {f"call:{name}" for name in re.findall(r'faultpoint\("before_call:([\w.]+)"\)', text)}
    return found


def test_the_plays_come_by_every_fault_point_of_the_product() -> None:
    assert _named_in_the_code() - set(_points()) == FOUND_BY_SEEDS_ALONE | NO_COMMIT | ANOTHER_FLOW


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("point", ["operation.create", "operation.interaction", "operation.end"])
def test_the_three_great_commits_survive_everything(point: str, mode: str) -> None:
    outcome = exhaustive.run(Case("research", f"commit:{point}", mode))

    assert outcome.faults, "the play did not come by the point"
    assert not outcome.broken, describe(outcome)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_every_fault_point_survives_everything() -> None:
    outcomes = [(case, exhaustive.run(case)) for case in exhaustive.cases()]

    assert [case for case, outcome in outcomes if not outcome.faults] == []
    assert [(case, outcome.broken) for case, outcome in outcomes if outcome.broken] == []
