"""Faults that are asked for: which calls they meet, how often, and when they end."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from infra.local.clock import VirtualClock
from infra.local.faults import EventFault, Faults, UnknownFault


@pytest.fixture
def clock() -> Iterator[VirtualClock]:
    clock = VirtualClock()
    yield clock
    clock.close()


@pytest.fixture
def faults(clock: VirtualClock) -> Faults:
    return Faults(clock)


def test_an_outage_ends_by_the_clock(faults: Faults, clock: VirtualClock) -> None:
    faults.outage("workflows", 60)
    assert faults.is_out("workflows")
    assert not faults.is_out("pubsub")
    clock.call_later(60, lambda: None, "a minute")
    clock.run_until(lambda: False, limit=timedelta(seconds=61))
    assert not faults.is_out("workflows")


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        ("Commit", "google.firestore.v1.Firestore/Commit"),
        ("google.firestore.v1.Firestore/Commit", "google.firestore.v1.Firestore/Commit"),
        ("google.firestore.v1.Firestore/*", "google.firestore.v1.Firestore/Commit"),
        ("POST /*/interactions", "POST /v1beta/interactions"),
    ],
)
def test_a_lost_answer_meets_the_calls_of_its_pattern_and_no_more_of_them(
    faults: Faults, pattern: str, method: str
) -> None:
    faults.lost_answer(pattern, times=2)
    assert not faults.loses_answer("google.firestore.v1.Firestore/RunQuery") or pattern.endswith("/*")
    assert [faults.loses_answer(method) for _ in range(3)].count(True) == (1 if pattern.endswith("Firestore/*") else 2)


def test_event_faults_meet_their_function_and_add_up(faults: Faults) -> None:
    faults.duplicate_events(1, "f")
    faults.duplicate_events(2, "*", times=1)
    faults.delay_events(5, "f")
    assert faults.event("f") == EventFault(copies=3, delay_seconds=5)
    assert faults.event("f") == EventFault(copies=1)
    assert faults.event("g") == EventFault()


def test_what_is_active_is_listed_until_it_is_cleared(faults: Faults) -> None:
    faults.ask({"kind": "outage", "service": "pubsub", "seconds": 10})
    faults.ask({"kind": "lost_answer", "method": "Commit"})
    faults.ask({"kind": "drop_events", "function": "f", "times": 3})
    active = faults.active()
    assert active["outages"]["pubsub"] == pytest.approx(10, abs=0.1)
    assert active["lost_answers"] == {"Commit": 1}
    assert active["events"][0]["left"] == 3
    faults.ask({"kind": "clear"})
    assert faults.active() == {"outages": {}, "lost_answers": {}, "events": []}


@pytest.mark.parametrize(
    "wish",
    [
        {},
        {"kind": "earthquake"},
        {"kind": "outage", "service": "moon", "seconds": 1},
        {"kind": "outage", "service": "pubsub"},
        {"kind": "delay_events", "hours": 2},
        {"kind": "outage", "service": "pubsub", "seconds": "long"},
        {"kind": "delay_events", "seconds": "long"},
        {"kind": "duplicate_events", "copies": -1},
        {"kind": "lost_answer", "method": 5},
        {"kind": "outage", "service": "pubsub", "seconds": 1e300},
        {"kind": "delay_events", "seconds": float("inf")},
        {"kind": "delay_events", "seconds": float("nan")},
        {"kind": "duplicate_events", "copies": 1.5},
        {"kind": "duplicate_events", "copies": 10**9},
        {"kind": "drop_events", "times": 0.5},
    ],
)
def test_what_cannot_be_asked_for_is_refused_with_a_sentence_and_changes_nothing(
    faults: Faults, wish: dict[str, object]
) -> None:
    with pytest.raises(UnknownFault):
        faults.ask(wish)
    assert faults.active() == {"outages": {}, "lost_answers": {}, "events": []}
