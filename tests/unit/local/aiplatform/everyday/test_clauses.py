"""Messages cut into what they ask for."""

from __future__ import annotations

import time

import pytest

from infra.local.aiplatform.everyday.clauses import clauses


@pytest.mark.parametrize("blank", [" ", "\t", " \n", "\u3000"])
def test_a_long_gap_costs_no_time(blank: str) -> None:
    began = time.process_time()
    found = clauses(f"add a task to call Ann{blank * 1_000} and list my tasks")
    assert time.process_time() - began < 1
    assert found[0] == "add a task to call Ann" and found[-1] == "list my tasks"


def test_what_is_quoted_keeps_its_blanks() -> None:
    assert clauses('note "two  blanks;  and then"') == ['note "two  blanks;  and then"']


def test_a_control_character_is_no_place_of_a_quotation() -> None:
    assert clauses("what is \x005\x00") == ["what is 5"]
