"""What the emulated model makes of the findings of a run's steps."""

from __future__ import annotations

import pytest

from infra.local.aiplatform.agent.synthesis import answer

STEPS = (
    '<step title="Tavrolo" status="succeeded">- Tavrolo does not exist. [1.1]\n'
    "- Tavrolo charges 19 EUR per user. [1.1]</step>"
    '<step title="Merigrid" status="succeeded">- Merigrid charges 49 USD per technician. [2.1]</step>'
)


def answered(goal: str) -> str:
    return answer(f"<goal>{goal}</goal>{STEPS}", "")


@pytest.mark.parametrize("wanted", ["Sum up what each one charges, in a table.", "Compare what each one charges."])
def test_a_table_has_for_each_what_was_asked_and_no_more(wanted: str) -> None:
    assert answered(wanted).strip().splitlines() == [
        "| | What each one charges |",
        "|---|---|",
        "| Tavrolo | Tavrolo charges 19 EUR per user. [1.1] |",
        "| Merigrid | Merigrid charges 49 USD per technician. [2.1] |",
    ]


def test_a_table_of_something_that_nobody_tells_keeps_all_that_was_found() -> None:
    table = answered("Put in a table what each one weighs.")
    assert "Tavrolo does not exist. [1.1] Tavrolo charges" in table


def test_a_table_that_does_not_say_of_what_keeps_all_that_was_found() -> None:
    table = answered("Tavrolo and Merigrid in a table.")
    assert "| what was found |" in table.lower() and "does not exist" in table
