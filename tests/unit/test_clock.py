"""The clocks of the local cloud."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from infra.local.clock import ClockClosed, RealClock, VirtualClock

HOUR = timedelta(hours=1)


@pytest.fixture
def clock():
    clock = VirtualClock()
    yield clock
    clock.close()


def test_virtual_time_jumps_from_one_due_task_to_the_next(clock: VirtualClock) -> None:
    start, seen = clock.now(), []
    clock.call_later(7200, lambda: seen.append(clock.now() - start), "late")
    clock.call_later(60, lambda: seen.append(clock.now() - start), "early")
    assert clock.run_until(lambda: len(seen) == 2, limit=3 * HOUR)
    assert [round(moment.total_seconds()) for moment in seen] == [60, 7200]


def test_virtual_time_stops_at_the_limit(clock: VirtualClock) -> None:
    fired = threading.Event()
    clock.call_later(7200, fired.set, "late")
    assert not clock.run_until(fired.is_set, limit=HOUR)
    assert not fired.is_set()


def test_a_sleeping_task_lets_time_move_and_is_counted_as_running_when_it_wakes(clock: VirtualClock) -> None:
    order: list[str] = []

    def sleeper() -> None:
        order.append("asleep")
        clock.sleep(600)
        order.append("awake")

    clock.spawn(sleeper, "sleeper")
    clock.call_later(601, lambda: order.append("later"), "later")
    assert clock.run_until(lambda: len(order) == 3, limit=HOUR)
    assert order == ["asleep", "awake", "later"]


def test_a_cancelled_timer_never_runs(clock: VirtualClock) -> None:
    ran: list[int] = []
    clock.call_later(1, lambda: ran.append(1), "cancelled").cancel()
    clock.call_later(2, lambda: ran.append(2), "kept")
    assert clock.run_until(lambda: 2 in ran, limit=HOUR)
    assert ran == [2]


def test_time_stands_still_while_something_is_held(clock: VirtualClock) -> None:
    clock.hold()
    with pytest.raises(TimeoutError):
        clock.run_until(lambda: False, limit=HOUR, real_seconds=0.05)
    clock.release()


def test_the_real_clock_runs_due_tasks_in_order() -> None:
    clock = RealClock()
    done, order = threading.Event(), []
    clock.call_later(0.05, lambda: (order.append("b"), done.set()), "b")
    clock.call_later(0.01, lambda: order.append("a"), "a")
    assert done.wait(5)
    assert order == ["a", "b"]
    clock.close()


def test_time_waits_for_a_counted_task_of_another_thread_and_ends_with_the_clock_in_silence() -> None:
    clock, ended = VirtualClock(), threading.Event()

    def sleeper() -> None:
        clock.sleep(60)
        try:
            clock.sleep(10**6)
        finally:
            ended.set()

    begun, thread = clock.now(), threading.Thread(target=clock.counted(sleeper))
    thread.start()
    assert not clock.run_until(ended.is_set, limit=HOUR)
    assert clock.now() - begun >= timedelta(seconds=60)
    clock.close()
    thread.join(5)
    assert ended.is_set() and not thread.is_alive()


def test_closing_wakes_who_sleeps() -> None:
    clock, ended = VirtualClock(), threading.Event()

    def sleeper() -> None:
        try:
            clock.sleep(10**6)
        except ClockClosed:
            ended.set()
            raise

    clock.spawn(sleeper, "sleeper")
    assert not clock.run_until(lambda: False, limit=HOUR)
    clock.close()
    assert ended.wait(5)
