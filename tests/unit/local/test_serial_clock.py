"""One task at a time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import timedelta

import pytest

from infra.local.clock import SerialClock


@pytest.fixture
def clock() -> Iterator[SerialClock]:
    clock = SerialClock()
    yield clock
    clock.close()


def test_what_is_spawned_runs_in_its_order_and_never_beside_another(clock: SerialClock) -> None:
    told: list[str] = []
    busy = threading.Lock()

    def task(name: str) -> None:
        assert busy.acquire(blocking=False), "another one is running"
        told.append(name)
        if name == "first":
            clock.spawn(lambda: task("of the first"), "of the first")
        busy.release()

    for name in ("first", "second", "third"):
        clock.spawn(lambda name=name: task(name), name)  # type: ignore[misc]
    assert clock.run_until(lambda: len(told) == 4, limit=timedelta(seconds=1))
    assert told == ["first", "second", "third", "of the first"]


def test_a_sleeper_gives_way_and_goes_on_in_its_time(clock: SerialClock) -> None:
    told: list[str] = []

    def sleeper() -> None:
        told.append("asleep")
        clock.sleep(10)
        told.append("awake")

    clock.spawn(sleeper, "sleeper")
    clock.spawn(lambda: told.append("meanwhile"), "other")
    assert clock.run_until(lambda: "awake" in told, limit=timedelta(seconds=11))
    assert told == ["asleep", "meanwhile", "awake"]


def test_time_does_not_move_while_a_task_waits_for_its_turn(clock: SerialClock) -> None:
    begun, times = clock.now(), list[float]()

    def look() -> None:
        times.append((clock.now() - begun).total_seconds())

    clock.call_later(5, lambda: None, "later")
    for _ in range(3):
        clock.spawn(look, "look")
    assert clock.run_until(lambda: len(times) == 3, limit=timedelta(seconds=1))
    assert all(seconds < 1 for seconds in times)
