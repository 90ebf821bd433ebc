"""The scenarios, played: what was kept is what happens."""

from __future__ import annotations

import pytest

from infra.cost.book import Book
from infra.cost.measuring import measure
from infra.cost.scenarios import SCENARIOS, idle
from infra.cost.stored import FIGURES, load, machine
from infra.cost.world import ROOT
from infra.local.functions.apps import read_manifest

BY_NAME = {scenario.name: scenario for scenario in SCENARIOS}
QUICK = [name for name in BY_NAME if not name.startswith("idle")]


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", QUICK)
def test_a_scenario_costs_what_was_kept_of_it(name: str) -> None:
    """Threads that meet otherwise read once more or once less: a quarter of the price is left to that."""
    kept, found = load(FIGURES)[name], measure(BY_NAME[name]).figures
    for one, other in ((kept, found), (found, kept)):
        assert {kind for kind, row in one["requests"].items() if row["count"] > 4} <= other["requests"].keys()
    prices = [Book({name: one}, read_manifest(ROOT), machine()) for one in (kept, found)]
    again = f"make cost ARGS='--only {name}'"
    assert prices[1].platform(name) == pytest.approx(prices[0].platform(name), rel=0.25), again
    assert prices[1].models(name) == pytest.approx(prices[0].models(name), rel=0.25), again


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_without_anybody_the_scheduler_alone_calls_and_no_model_is_asked() -> None:
    """Two days stand for the month that was kept, which takes a quarter of an hour to play."""
    figures, month = measure(idle("idle-days", 2)).figures, load(FIGURES)["idle-month"]
    counts = {kind: row["count"] for kind, row in figures["requests"].items()}
    assert counts == {"reconcile": 2 * 24 * 12, "routine": 2 * 6, "compact-traces": 2}
    assert {kind: row["count"] for kind, row in month["requests"].items()} == {k: 15 * n for k, n in counts.items()}
    assert not any(unit.startswith(("aiplatform.", "workflows.", "pubsub.", "eventarc.")) for unit in figures["units"])
    assert figures["units"]["firestore.document_reads"] < 2 * 50_000 / 5, "a fifth of what is free"
    assert figures["units"]["firestore.document_reads"] * 15 == pytest.approx(
        month["units"]["firestore.document_reads"], rel=0.1
    )
    assert Book({"idle-month": month}, read_manifest(ROOT), machine()).platform("idle-month") < 0.25
