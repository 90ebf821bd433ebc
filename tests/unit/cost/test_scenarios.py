"""The scenarios, played: what was kept is what happens."""

from __future__ import annotations

import pytest

from infra.cost.book import Book
from infra.cost.measuring import measure, same
from infra.cost.scenarios import SCENARIOS
from infra.cost.stored import FIGURES, load, machine
from infra.cost.world import ROOT
from infra.local.functions.apps import read_manifest

BY_NAME = {scenario.name: scenario for scenario in SCENARIOS}
QUICK = [name for name in BY_NAME if not name.startswith("idle")]


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", QUICK)
def test_a_scenario_uses_what_was_kept_of_it(name: str) -> None:
    kept, found = load(FIGURES)[name], measure(BY_NAME[name]).figures
    for kind in kept["requests"].keys() | found["requests"].keys():
        assert same(kept["requests"].get(kind), found["requests"].get(kind)), f"{kind}: make cost ARGS='--only {name}'"
    assert same(kept["units"], found["units"]), f"make cost ARGS='--only {name}'"


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_in_a_month_without_anybody_the_scheduler_alone_calls_and_no_model_is_asked() -> None:
    figures = measure(BY_NAME["idle-month"]).figures
    requests = figures["requests"]
    assert {kind: row["count"] for kind, row in requests.items()} == {
        "reconcile": 30 * 24 * 12,
        "routine": 30 * 6,
        "compact-traces": 30,
    }
    assert not any(unit.startswith(("aiplatform.", "workflows.", "pubsub.", "eventarc.")) for unit in figures["units"])
    assert figures["units"]["firestore.document_reads"] < 30 * 50_000 / 5, "a fifth of what is free"
    book = Book({"idle-month": figures}, read_manifest(ROOT), machine())
    assert book.platform("idle-month") < 0.25
