"""The hub: seams, time, crashes, and the locks that nobody may hold at a seam."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from infra.sim.clock import SimClock
from infra.sim.hub import Broken, Hub
from infra.sim.locks import LockHeld


@pytest.fixture
def hub() -> Iterator[Hub]:
    made = Hub(1)
    yield made
    made.close()


def _order(seed: int) -> str:
    hub, said = Hub(seed), []

    def speak(name: str) -> None:
        for _ in range(5):
            said.append(name)
            hub.pause()

    for name in "abc":
        hub.spawn(lambda name=name: speak(name), name)  # type: ignore[misc]
    hub.run(lambda: False, 1.0)
    hub.close()
    return "".join(said)


def test_who_goes_on_at_a_seam_is_chosen_by_the_seed() -> None:
    assert _order(1) == _order(1)
    assert len({_order(seed) for seed in range(8)}) > 1
    assert sorted(_order(3)) == sorted("abc" * 5)


def test_hours_pass_only_when_nobody_can_go_on(hub: Hub) -> None:
    clock, seen = SimClock(hub), []

    def sleeper() -> None:
        clock.sleep(3_600.0)
        seen.append(round(hub.seconds))

    clock.spawn(sleeper, "sleeper")
    clock.call_later(60.0, lambda: seen.append(round(hub.seconds)), "later")
    hub.run(lambda: len(seen) == 2, 10_000.0)

    assert seen == [60, 3_600]


def test_nothing_of_a_crashed_owner_goes_on_and_no_finally_runs(hub: Hub) -> None:
    owner, said = object(), []

    def work() -> None:
        try:
            hub.sleep(10.0)
            said.append("went on")
        finally:
            said.append("finally")

    hub.spawn(work, "work", owner)
    hub.run(lambda: False, 5.0)

    assert hub.bury(owner) == 1
    hub.run(lambda: False, 100.0)
    assert said == []


def test_a_seam_with_a_lock_held_ends_the_run(hub: Hub) -> None:
    with hub.locks.watched():
        lock = threading.Lock()

    def work() -> None:
        with lock:
            hub.pause()

    hub.spawn(work, "work")
    with pytest.raises(LockHeld, match="work came to a seam with 1 locks held"):
        hub.run(lambda: False, 1.0)


def test_waiting_for_a_lock_that_is_held_ends_the_run(hub: Hub) -> None:
    with hub.locks.watched():
        lock = threading.Lock()
    lock.acquire()

    hub.spawn(lock.acquire, "work")
    with pytest.raises(LockHeld):
        hub.run(lambda: False, 1.0)


def test_a_task_that_fails_breaks_the_world(hub: Hub) -> None:
    hub.spawn(lambda: [][1], "work")  # type: ignore[misc, arg-type]
    with pytest.raises(Broken, match="work: IndexError"):
        hub.run(lambda: False, 1.0)


def test_a_wake_up_for_an_earlier_wait_is_none_of_a_later_one(hub: Hub) -> None:
    woken = []

    def work() -> None:
        late = hub.waker()
        hub.at(1.0, hub.waker(), "first")
        hub.at(2.0, late, "late")
        hub.wait()
        hub.sleep(10.0)
        woken.append(round(hub.seconds))

    hub.spawn(work, "work")
    hub.run(lambda: False, 60.0)

    assert woken == [11]
