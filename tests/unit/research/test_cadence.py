"""The waits between polls, summed over whole runs."""

from __future__ import annotations

import pytest

from shared.research.cadence import POLLS_PER_ATTEMPT, Cadence

PRODUCTION = Cadence(min_seconds=5.0, max_seconds=30.0, deadline_seconds=7500.0, net_seconds=120.0)


def polls_until_deadline(cadence: Cadence, seconds_per_poll: float = 0.0) -> int:
    age, polls = 0.0, 0
    while age < cadence.deadline_seconds:
        age += cadence.wait_seconds(age, polls) + seconds_per_poll
        polls += 1
    return polls


@pytest.mark.parametrize(
    "cadence",
    [
        PRODUCTION,
        Cadence(0.1, 0.5, 7500.0, 120.0),
        Cadence(0.05, 0.05, 10.0, 120.0),
        Cadence(1.0, 1.0, 7500.0, 120.0),
        Cadence(30.0, 30.0, 7500.0, 120.0),
        Cadence(5.0, 30.0, 100_000.0, 120.0),
    ],
)
def test_the_deadline_comes_before_the_poll_limit(cadence: Cadence) -> None:
    assert polls_until_deadline(cadence) <= POLLS_PER_ATTEMPT


def test_it_starts_short_follows_the_run_and_is_capped() -> None:
    waits = [PRODUCTION.wait_seconds(age, 0) for age in (0, 40, 100, 200, 300, 3600)]
    assert waits == [5.0, 5.0, 10.0, 20.0, 30.0, 30.0]


def test_in_production_no_wait_exceeds_the_cap() -> None:
    age, polls, longest = 0.0, 0, 0.0
    while age < PRODUCTION.deadline_seconds:
        wait = PRODUCTION.wait_seconds(age, polls)
        longest, age, polls = max(longest, wait), age + wait, polls + 1
    assert longest <= 30.0


def test_no_wait_goes_beyond_the_deadline_and_none_is_zero() -> None:
    assert PRODUCTION.wait_seconds(7490.0, 280) == 10.0
    assert PRODUCTION.wait_seconds(7500.0, 300) > 0
