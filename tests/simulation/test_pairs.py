"""Two faults in one world: at two points of the product, one after the other."""

from __future__ import annotations

import pytest

from infra.sim import exhaustive, pairs
from infra.sim.exhaustive import MODES
from infra.sim.run import describe

PARTNERS = 3
"""With how many others each (point, what happens there) comes first: some 360 worlds of all 12,000, which
`python -m infra.sim --pairs` runs."""
CHUNKS, BUDGET_SECONDS = 8, 600
"""Each chunk has that long; it takes a small part of it on a quiet machine."""


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_selection_has_every_point_and_kind_of_fault_in_both_places() -> None:
    places = {(point, mode) for point in exhaustive.points() for mode in MODES}

    chosen = pairs.selected(pairs.pairs(), PARTNERS)

    assert {pair.first for pair in chosen} == {pair.second for pair in chosen} == places
    assert {(pair.first[1], pair.second[1]) for pair in chosen} == {(one, other) for one in MODES for other in MODES}


@pytest.mark.slow
@pytest.mark.timeout(BUDGET_SECONDS)
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_two_faults_in_a_row_break_no_rule(chunk: int) -> None:
    chosen = pairs.selected(pairs.pairs(), PARTNERS)[chunk::CHUNKS]

    outcomes = [(pair, pairs.run(pair)) for pair in chosen]

    assert [f"{pair}\n{describe(outcome)}" for pair, outcome in outcomes if outcome.broken] == []
    assert any(len(outcome.faults) == 2 for _, outcome in outcomes)
