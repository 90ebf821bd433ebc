"""A sweep goes on whatever one thing does, and says what it came to."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from shared.contracts.research import SweepAnswer
from shared.errors import Conflict, Transient
from shared.store.system import Found
from shared.sweeping import Swept

ONE = Found("demo", "op_1")
AT = datetime(2026, 11, 30, tzinfo=timezone.utc)


class Busy(Transient):
    """Someone is at it."""


def fail(failure: Exception) -> None:
    raise failure


@pytest.mark.parametrize(
    ("failure", "noted"),
    [
        (Busy("under way"), ()),
        (Conflict("no"), ("demo/op_1: conflict",)),
        (ValueError("a bug"), ("demo/op_1: internal",)),
    ],
)
def test_what_goes_wrong_with_one_is_noted_and_ends_nothing(failure: Exception, noted: tuple[str, ...]) -> None:
    swept = Swept()
    with swept.noting(ONE, busy=Busy):
        fail(failure)
    swept.count("opened")
    assert swept.answer() == SweepAnswer(opened=1, failed=len(noted), failures=noted)


def test_time_that_is_up_is_said_and_failures_shown_are_bounded() -> None:
    swept = Swept()
    assert not swept.over(AT, AT + timedelta(seconds=1)) and not swept.answer().out_of_time
    assert swept.over(AT, AT) and swept.answer().out_of_time
    for _ in range(60):
        with swept.noting(ONE, busy=Busy):
            fail(Conflict("no"))
    assert (swept.answer().failed, len(swept.answer().failures)) == (60, 50)


def test_two_sweeps_are_one_answer() -> None:
    one, other = SweepAnswer(opened=1, failed=1, failures=("a",)), SweepAnswer(opened=2, turns=3, out_of_time=True)
    assert one + other == SweepAnswer(opened=3, turns=3, failed=1, failures=("a",), out_of_time=True)
