"""A simulation that does not find a bug that was put there is broken."""

from __future__ import annotations

import pytest

from infra.sim import exhaustive
from infra.sim.exhaustive import Case
from infra.sim.run import Outcome, simulate
from infra.sim.weather import Plan
from tests.simulation.planted import PLANTED

INTENSITY = 3.0
ENOUGH = 400
"""Seeds after which a bug counts as not found."""
QUICKLY = {
    "effect without a key": 2,
    "two executions at once": 2,
    "create retried blindly": 7,
    "webhooks not told apart": 2,
}
"""In which seed each was found when this was written; those that take many are left to the slow test."""


CASES = {
    "no fence": Case("long run ended", "call:interactions.get", "zombie"),
    "no terminal guard": Case("cancel", "call:interactions.get", "zombie"),
    "late completion overwrites a cancel": Case("cancel", "call:interactions.get", "zombie"),
    "no reaper": Case("cancel without an execution", "call:interactions.cancel", "crash before"),
    "marker committed apart from the work": Case("research", "commit:claim.apart", "crash after"),
}
"""Bugs that chance meets seldom, and the one fault that shows each."""


def _first(name: str, seeds: range) -> Outcome | None:
    """The first of these worlds in which the bug breaks a rule."""
    for seed in seeds:
        with PLANTED[name]():
            outcome = simulate(Plan(seed, intensity=INTENSITY))
        if outcome.broken:
            return outcome
    return None


@pytest.mark.parametrize("name", QUICKLY)
def test_a_planted_bug_breaks_a_rule_that_holds_without_it(name: str) -> None:
    found = _first(name, range(QUICKLY[name], QUICKLY[name] + 15))

    assert found is not None
    assert simulate(found.plan).broken == ()


@pytest.mark.parametrize("name", CASES)
def test_a_planted_bug_that_is_seldom_met_breaks_a_rule_at_its_fault_point(name: str) -> None:
    with PLANTED[name]():
        outcome = exhaustive.run(CASES[name])

    assert outcome.broken
    assert exhaustive.run(CASES[name]).broken == ()


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", sorted(PLANTED.keys() - CASES.keys()))
def test_every_planted_bug_is_found_within_a_bounded_number_of_seeds(name: str) -> None:
    assert _first(name, range(1, ENOUGH + 1)) is not None
