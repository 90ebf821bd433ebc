"""Days as people write them. Today is a monday."""

from __future__ import annotations

from datetime import date

import pytest

from infra.local.aiplatform.everyday.days import find_day

TODAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("text", "day", "rest"),
    [
        ("call mum by friday", date(2026, 12, 4), "call mum"),
        ("call mum next friday", date(2026, 12, 4), "call mum"),
        ("call mum next wednesday", date(2026, 12, 9), "call mum"),
        ("call mum on monday", date(2026, 12, 7), "call mum"),
        ("pay the bill, due 2026-12-04", date(2026, 12, 4), "pay the bill"),
        ("pay the bill by 4 December", date(2026, 12, 4), "pay the bill"),
        ("pay the bill on December 4th, 2027", date(2027, 12, 4), "pay the bill"),
        ("pay the bill by the 1st of March", date(2027, 3, 1), "pay the bill"),
        ("water the plants tomorrow", date(2026, 12, 1), "water the plants"),
        ("water the plants the day after tomorrow", date(2026, 12, 2), "water the plants"),
        ("water the plants today please", date(2026, 11, 30), "water the plants please"),
        ("look again in two weeks", date(2026, 12, 14), "look again"),
        ("look again in 3 days", date(2026, 12, 3), "look again"),
        ("finish it by the end of the week", date(2026, 12, 6), "finish it"),
        ("read about may flies", None, "read about may flies"),
        ("version 2026-13-45 of it", None, "version 2026-13-45 of it"),
        ("in 99999999999 days", None, "in 99999999999 days"),
        ("buy milk", None, "buy milk"),
    ],
)
def test_a_day_is_found_and_taken_out_of_the_text(text: str, day: date | None, rest: str) -> None:
    assert find_day(text, TODAY) == (day, rest)
