"""docs/cost.md says what the kept figures say."""

from __future__ import annotations

import pytest

from infra.cost import billing, document
from infra.cost.book import TYPICAL, book
from infra.cost.measuring import same, settled
from infra.cost.scenarios import SCENARIOS
from infra.cost.stored import FIGURES, load
from infra.cost.tables import TABLES
from infra.cost.world import ROOT
from infra.local.prices import PRICES

TEXT = (ROOT / "docs" / "cost.md").read_text(encoding="utf-8")


def test_the_document_is_what_figures_prices_and_manifest_make_of_it_now() -> None:
    assert document.with_tables(TEXT) == TEXT, "stale: make cost ARGS=--render"


def test_every_table_is_in_the_document_once() -> None:
    assert sorted(document.marked(TEXT)) == sorted(TABLES)


def test_there_are_figures_for_every_scenario_and_a_price_for_everything_in_them() -> None:
    figures = load(FIGURES)
    assert list(figures) == [scenario.name for scenario in SCENARIOS]
    assert TYPICAL.keys() <= figures.keys()
    found = book()
    for name in figures:
        assert found.amounts(name).keys() <= PRICES.keys(), name
        assert figures[name]["what"] == next(one.what for one in SCENARIOS if one.name == name)


def test_an_idle_month_is_free_but_for_storage() -> None:
    found = book()
    idle = found.amounts("idle-month") + found.ready()
    left = {unit: usd for unit, usd in billing.after_free(idle).items() if usd and "stored" not in unit[1]}
    assert left == {}
    assert found.models("idle-month") == 0
    assert set(found.figures["idle-month"]["requests"]) == {"reconcile", "routine", "compact-traces"}


def test_waiting_for_the_services_word_is_no_dearer_than_polling_and_saves_polls() -> None:
    found = book()
    for minutes in (5, 30, 120):
        assert found.platform(f"research-{minutes}-early-wake") < found.platform(f"research-{minutes}") * 1.02
        assert found.polls(f"research-{minutes}-early-wake") < found.polls(f"research-{minutes}")


@pytest.mark.parametrize(
    ("old", "new", "alike"),
    [(100, 105, True), (100, 106, False), (3, 7, True), (3, 8, False), ({"a": 1}, {"a": 1, "b": 2}, True)],
)
def test_small_differences_say_the_same(old: object, new: object, alike: bool) -> None:
    assert same(old, new) is alike


def test_what_says_the_same_stays_as_it_was() -> None:
    assert settled({"a": 100, "b": 100, "gone": 1}, {"a": 101, "b": 200}) == {"a": 100, "b": 200}
    assert settled(None, {"a": {"b": 1}}) == {"a": {"b": 1}}
