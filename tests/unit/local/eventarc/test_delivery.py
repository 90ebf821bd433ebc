"""At least once, in no order, again until it is acknowledged, and not for ever."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from infra.local.eventarc.lane import DeliveryRequest, RetryPolicy
from tests.unit.local.eventarc.conftest import Bench, trigger, unreachable


def test_an_acknowledged_event_is_delivered_once(bench: Bench) -> None:
    bench.start(trigger("f"))
    bench.log.write("notes/1", None, {})
    bench.settle(3600)
    assert len(bench.delivered) == 1
    assert bench.states() == {"f": {"delivered": 1}}


def test_a_refused_event_comes_again_with_growing_pauses(bench: Bench) -> None:
    bench.answers["f"] = lambda request: 500 if request.attempt < 5 else 204
    bench.start(trigger("f"), policy=RetryPolicy(min_seconds=10, max_seconds=30))
    bench.log.write("notes/1", None, {})
    bench.settle(3600)
    pauses = [round((b - a).total_seconds()) for a, b in zip(bench.times, bench.times[1:], strict=False)]
    assert pauses == [10, 20, 30, 30]
    assert [request.attempt for request in bench.delivered] == [1, 2, 3, 4, 5]
    assert bench.states() == {"f": {"delivered": 1}}


def test_an_event_that_finds_nobody_comes_again(bench: Bench) -> None:
    bench.answers["f"] = unreachable
    part = bench.start(trigger("f"))
    bench.log.write("notes/1", None, {})
    bench.settle()
    assert part.deliveries()[0]["last_error"] == "ConnectionRefusedError: nobody is there"
    del bench.answers["f"]
    bench.settle(2)
    assert bench.states() == {"f": {"delivered": 1}}


def test_without_retry_a_failed_event_is_dropped_and_shown(bench: Bench) -> None:
    bench.answers["f"] = lambda _: 503
    part = bench.start(trigger("f", retry=False))
    bench.log.write("notes/1", None, {})
    bench.settle(3600)
    assert len(bench.delivered) == 1
    shown = part.deliveries()[0]
    assert (shown["state"], shown["last_status"]) == ("dropped: no retry", 503)


def test_after_a_day_of_refusals_an_event_is_dropped(bench: Bench) -> None:
    bench.answers["f"] = lambda _: 500
    bench.start(trigger("f"), policy=RetryPolicy(min_seconds=600))
    bench.log.write("notes/1", None, {})
    bench.settle(2 * 24 * 3600)
    assert bench.states() == {"f": {"dropped: retried for too long": 1}}
    assert bench.times[-1] - bench.times[0] <= timedelta(hours=24)
    assert len(bench.delivered) == 24 * 6


def test_an_event_over_512_kb_is_dropped_and_shown(bench: Bench) -> None:
    part = bench.start(trigger("f"))
    bench.log.write("notes/1", {"a": "x" * 300_000}, {"a": "y" * 300_000})
    bench.log.write("notes/2", None, {"a": "x" * 300_000})
    bench.settle(60)
    assert [request.headers["ce-document"] for request in bench.delivered] == ["notes/2"]
    dropped = part.deliveries()[1]
    assert (dropped["document"], dropped["state"]) == ("notes/1", "dropped: over 512 KB")
    assert dropped["bytes"] > 600_000


def test_what_was_not_delivered_before_a_crash_is_delivered_after_it(bench: Bench) -> None:
    bench.answers["f"] = lambda _: 500
    bench.start(trigger("f"), trigger("g"))
    bench.log.write("notes/1", None, {})
    bench.settle()
    bench.answers.clear()
    bench.start(trigger("f"), trigger("g"))
    bench.settle(5)
    assert [request.function for request in bench.delivered].count("g") == 1
    assert bench.states() == {"f": {"delivered": 1}, "g": {"delivered": 1}}


def test_changes_made_while_it_was_away_are_delivered(bench: Bench) -> None:
    part = bench.start(trigger("f"))
    bench.log.write("notes/1", None, {})
    bench.settle()
    part.close()
    bench.log.write("notes/2", None, {})
    bench.start(trigger("f"))
    bench.settle()
    assert [request.headers["ce-document"] for request in bench.delivered] == ["notes/1", "notes/2"]


def test_an_event_is_delivered_again_when_the_crash_came_before_the_acknowledgement_was_stored(bench: Bench) -> None:
    def crash(_request: DeliveryRequest) -> int:
        assert bench.part is not None
        bench.part.close()
        return 200

    bench.answers["f"] = crash
    bench.start(trigger("f"))
    bench.log.write("notes/1", None, {})
    bench.settle()
    bench.answers.clear()
    bench.part = None
    bench.start(trigger("f"))
    bench.settle()
    ids = [request.headers["ce-id"] for request in bench.delivered]
    assert len(ids) == 2
    assert len(set(ids)) == 1


def test_no_more_are_under_way_at_once_than_the_function_takes(bench: Bench) -> None:
    lock, now, most = threading.Lock(), [0], [0]

    def count(_request: DeliveryRequest) -> int:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        bench.clock.sleep(5)
        with lock:
            now[0] -= 1
        return 200

    bench.answers["f"] = count
    bench.start(trigger("f", concurrency=3))
    for number in range(10):
        bench.log.write(f"notes/{number}", None, {})
    bench.settle(60)
    assert most[0] == 3
    assert bench.states() == {"f": {"delivered": 10}}


def test_one_function_that_fails_does_not_hold_up_another(bench: Bench) -> None:
    bench.answers["f"] = lambda _: 500
    bench.start(trigger("f", concurrency=1), trigger("g", concurrency=1))
    for number in range(5):
        bench.log.write(f"notes/{number}", None, {})
    bench.settle(2)
    assert bench.states()["g"] == {"delivered": 5}


@pytest.mark.parametrize("count", [1, 450])
def test_a_burst_is_delivered_whole(bench: Bench, count: int) -> None:
    part = bench.start(trigger("f"))
    for number in range(count):
        bench.log.write(f"notes/{number}", None, {})
    bench.settle()
    assert {request.headers["ce-document"] for request in bench.delivered} == {f"notes/{n}" for n in range(count)}
    assert part.idle


def test_injected_duplicates_carry_the_same_id(bench: Bench) -> None:
    bench.faults.duplicate_events(2, "f")
    bench.start(trigger("f"), trigger("g"))
    bench.log.write("notes/1", None, {})
    bench.settle()
    assert sorted(request.function for request in bench.delivered) == ["f", "f", "f", "g"]
    assert len({request.headers["ce-id"] for request in bench.delivered}) == 1


def test_an_injected_delay_lets_later_events_overtake(bench: Bench) -> None:
    bench.faults.delay_events(400, "f")
    bench.start(trigger("f"))
    bench.log.write("notes/1", None, {})
    bench.log.write("notes/2", None, {})
    bench.settle(1000)
    assert [request.headers["ce-document"] for request in bench.delivered] == ["notes/2", "notes/1"]
    assert (bench.times[1] - bench.times[0]).total_seconds() > 399


def test_an_injected_drop_is_shown(bench: Bench) -> None:
    bench.faults.drop_events("f")
    bench.start(trigger("f"))
    bench.log.write("notes/1", None, {})
    bench.settle(60)
    assert bench.delivered == []
    assert bench.states() == {"f": {"dropped: a fault": 1}}
