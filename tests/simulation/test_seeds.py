"""Flow 1 under all faults: whatever goes wrong, nothing is lost and nothing is done twice."""

from __future__ import annotations

from collections import Counter

import pytest

from infra.sim import exhaustive, marks
from infra.sim.__main__ import RARE, outcomes
from infra.sim.run import Outcome, describe, simulate
from infra.sim.shrink import shrink
from infra.sim.weather import Plan

QUICK, CHUNK, MANY, PROCESSES = 20, 5, 300, 2
"""As many in the quick suite as leave it under four minutes. `make sim SEEDS=2000` is the nightly form."""


def _told(outcome: Outcome) -> str:
    return "" if not outcome.broken else describe(shrink(outcome, simulate))


@pytest.mark.parametrize("first", range(1, QUICK + 1, CHUNK))
def test_every_rule_holds_whatever_goes_wrong(first: int) -> None:
    failed = [outcome for seed in range(first, first + CHUNK) if (outcome := simulate(Plan(seed))).broken]

    assert "\n".join(map(_told, failed[:1])) == ""


@pytest.mark.slow
@pytest.mark.timeout(4 * 3600)
def test_every_rule_holds_in_many_worlds_and_everything_that_can_happen_does() -> None:
    counted: Counter[str] = sum((exhaustive.run(case).marks for case in RARE), Counter())
    failed = []
    for outcome in outcomes([Plan(seed) for seed in range(1, MANY + 1)], PROCESSES):
        counted += outcome.marks
        failed += [outcome] if outcome.broken else []

    assert "\n".join(map(_told, failed[:3])) == ""
    assert [mark for mark in marks.EXPECTED if not counted[mark]] == []
