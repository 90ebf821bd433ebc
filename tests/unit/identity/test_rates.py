"""How often a caller may ask, on a clock that the test moves."""

from __future__ import annotations

from datetime import timedelta

import pytest

from shared.identity import rates
from shared.identity.rates import RateLimited, Rates
from tests.support.seams import FakeClock


def taken(limits: Rates, name: str, most: int = 1000) -> int:
    """How many requests go through before one is refused."""
    for count in range(most):
        try:
            limits.take(name)
        except RateLimited:
            return count
    return most


def test_a_caller_may_ask_the_burst_at_once_and_the_rate_at_length() -> None:
    clock = FakeClock()
    limits = Rates(clock, per_second=2, burst=10)
    assert taken(limits, "a") == 10
    clock.advance(1)
    assert taken(limits, "a") == 2
    clock.advance(3600)
    assert taken(limits, "a") == 10


def test_each_caller_has_a_bucket() -> None:
    limits = Rates(FakeClock(), per_second=1, burst=3)
    assert (taken(limits, "a"), taken(limits, "b")) == (3, 3)


def test_the_refusal_says_when_to_come_again_and_then_there_is_one() -> None:
    clock = FakeClock()
    limits = Rates(clock, per_second=0.1, burst=1)
    limits.take("a")
    clock.advance(2.5)
    with pytest.raises(RateLimited) as refused:
        limits.take("a")
    assert refused.value.status == 429 and refused.value.code == "rate_limited"
    assert refused.value.retry_after_seconds == refused.value.details["retry_after_seconds"] == 8
    clock.advance(8)
    limits.take("a")


def test_a_clock_that_goes_back_takes_nothing_away_and_gives_nothing() -> None:
    clock = FakeClock()
    limits = Rates(clock, per_second=1, burst=5)
    limits.take("a")
    clock.advance(-3600)
    assert taken(limits, "a") == 4


def test_callers_whose_buckets_are_full_again_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "KEPT", 10)
    clock = FakeClock()
    limits = Rates(clock, per_second=1, burst=2)
    for number in range(10):
        limits.take(f"idle-{number}")
    clock.advance(timedelta(minutes=1).total_seconds())
    assert taken(limits, "busy") == 2
    assert list(limits._buckets) == ["busy"]
