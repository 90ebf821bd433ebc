"""What the benchmarks make of the times they take."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bench import output, timing
from bench.row import GOOGLE, LOCAL, Row, own_row, pair_row, rate_row, time_row
from bench.timing import Plan, Prepared, Series, compare


def test_a_ratio_is_taken_round_by_round() -> None:
    row = time_row("s", "w", {LOCAL: Series((1, 2, 10), 3), GOOGLE: Series((3, 6, 20), 3)}, at_least=3.0)
    assert (row.local, row.google, row.ratio, row.best, row.reached) == (2000, 6000, 3.0, 3.0, True)


def test_a_rate_counts_what_each_call_did() -> None:
    row = rate_row("s", "w", 500, {LOCAL: Series((0.5,), 1), GOOGLE: Series((1.0,), 1)})
    assert (row.unit, row.local, row.google, row.ratio) == ("/s", 1000, 500, 2.0)


def test_without_the_other_side_a_ratio_is_neither_reached_nor_missed() -> None:
    row = time_row("s", "w", {LOCAL: Series((1,), 1)}, at_least=4.0)
    assert (row.google, row.ratio, row.reached) == (None, None, None)


def test_a_limit_holds_for_the_local_figure() -> None:
    assert own_row("s", "w", "s", [1.0, 2.0, 9.0], at_most=3.0).reached
    assert not own_row("s", "w", "s", [4.0], at_most=3.0).reached


def test_less_is_better_for_a_pair() -> None:
    assert pair_row("s", "w", "MB", {LOCAL: [100.0], GOOGLE: [300.0]}).ratio == 3.0


def test_rounds_that_differ_much_are_called_noisy() -> None:
    assert own_row("s", "w", "ms", [1, 1, 5, 9, 9]).noisy
    assert not own_row("s", "w", "ms", [5, 5, 5, 5, 6]).noisy


def test_few_rounds_can_be_noisy_too() -> None:
    assert own_row("s", "w", "s", [1, 2, 3]).noisy


def test_the_sides_take_turns_and_only_the_act_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing, "MOST_CALLS", 1)
    seen: list[str] = []
    prepared = Prepared(lambda number: f"made {number}", seen.append)
    series = compare({"a": prepared, "b": lambda number: seen.append(f"b {number}")}, Plan(rounds=2, warm_up=1))
    assert seen == ["made 1", "b 2", "made 3", "b 4", "b 5", "made 6"]
    assert len(series["a"].turns) == 2


def test_a_missed_goal_and_noise_are_said_in_the_table() -> None:
    cells = output.cells(Row("s", "w", "ms", 2.0, 1.0, 0.5, 0.5, at_least=1.0, spread=0.9))
    assert cells == ("s", "w", "2.00 ms", "1.00 ms", "0.50", "0.50", ">= 1", "missed, noisy")


def test_the_table_in_a_document_is_replaced(tmp_path: Path) -> None:
    facts: dict[str, Any] = {
        "date": "d",
        "load": [1.0],
        "python": "3",
        "java": None,
        "emulators": {},
        "packages": {},
        "load_after": [2.0],
    }
    facts["machine"] = {"cores": 2, "cpu": "c", "memory_gb": 1, "system": "s"}
    document = tmp_path / "benchmarks.md"
    document.write_text(f"before\n{output.BEGIN}\nold\n{output.END}\nafter\n", encoding="utf-8")
    output.into_docs(document, facts, [Row("s", "w", "ms", 2.0)])
    text = document.read_text(encoding="utf-8")
    assert text.startswith("before\n") and text.endswith("\nafter\n")
    assert "| s | w | 2.00 ms |" in text and "old" not in text
