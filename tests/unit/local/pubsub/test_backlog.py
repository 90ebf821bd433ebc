"""The bookkeeping of one subscription, alone: leases, limits, keys, takeovers."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infra.local.pubsub.backlog import Backlog, Item, State
from infra.local.pubsub.consumer import UNLIMITED, Consumer, Delivery, Limits

NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
LEASE = timedelta(seconds=10)


class Bench:
    """A backlog with numbered leases and messages."""

    def __init__(self, ordered: bool = False) -> None:
        self.backlog = Backlog(ordered)
        self.count = self.lease = 0

    def add(self, *keys: str, size: int = 100) -> list[int]:
        numbers = []
        for key in keys:
            self.count += 1
            self.backlog.add(Item(self.count, key, size, NOW))
            numbers.append(self.count)
        return numbers

    def consumer(
        self, messages: int = UNLIMITED, size: int = UNLIMITED, client_id: str = "", one: bool = False
    ) -> Consumer:
        consumer = Consumer(Limits(messages, size, one), LEASE, client_id)
        self.backlog.attach(consumer)
        return consumer

    def take(self, consumer: Consumer) -> list[Delivery]:
        self.lease = self.backlog.dispatch(NOW, self.lease)
        return consumer.wait(1000, 0)

    def item(self, delivery: Delivery) -> Item:
        item = self.backlog.get(delivery.number, delivery.lease)
        assert item is not None
        return item


def numbers(deliveries: list[Delivery]) -> list[int]:
    return [delivery.number for delivery in deliveries]


def test_a_consumer_gets_no_more_bytes_than_it_has_room_for() -> None:
    bench = Bench()
    consumer = bench.consumer(size=250)
    bench.add("", "", "")
    first = bench.take(consumer)
    assert numbers(first) == [1, 2]
    bench.backlog.ack(bench.item(first[0]))
    assert numbers(bench.take(consumer)) == [3]


def test_a_message_larger_than_all_the_room_is_given_alone() -> None:
    bench = Bench()
    consumer = bench.consumer(size=50)
    bench.add("", "")
    first = bench.take(consumer)
    assert numbers(first) == [1]
    bench.backlog.ack(bench.item(first[0]))
    assert numbers(bench.take(consumer)) == [2]


def test_consumers_take_turns() -> None:
    bench = Bench()
    one, other = bench.consumer(), bench.consumer()
    for number in range(1, 5):
        bench.add("")
        assert numbers(bench.take(one) + other.wait(10, 0)) == [number]
    assert (one._count, other._count) == (2, 2)


def test_a_failure_makes_room_for_the_message_and_those_taken_back_with_it() -> None:
    bench = Bench(ordered=True)
    consumer = bench.consumer(messages=3)
    bench.add("k", "k", "k", "k")
    first = bench.take(consumer)
    assert numbers(first) == [1, 2, 3]
    bench.backlog.fail(bench.item(first[0]), None)
    assert consumer._count == 0
    assert numbers(bench.take(consumer)) == [1, 2, 3]


def test_one_per_key_keeps_the_next_back() -> None:
    bench = Bench(ordered=True)
    consumer = bench.consumer(one=True)
    bench.add("k", "l", "k")
    first = bench.take(consumer)
    assert numbers(first) == [1, 2]
    bench.backlog.ack(bench.item(first[0]))
    assert numbers(bench.take(consumer)) == [3]


def test_a_key_stays_with_its_consumer_while_something_of_it_is_outstanding() -> None:
    bench = Bench(ordered=True)
    one = bench.consumer()
    bench.add("k")
    first = bench.take(one)
    other = bench.consumer()
    bench.add("k", "k")
    assert numbers(bench.take(other)) == []
    for delivery in first + one.wait(10, 0):
        bench.backlog.ack(bench.item(delivery))
    assert len(bench.backlog) == 0


def test_a_reopened_stream_takes_over_what_its_client_still_holds() -> None:
    bench = Bench()
    first = bench.consumer(messages=2, client_id="c")
    bench.add("", "", "")
    held = bench.take(first)
    bench.backlog.detach(first)
    again = bench.consumer(messages=2, client_id="c")
    assert numbers(bench.take(again)) == []
    bench.backlog.ack(bench.item(held[0]))
    assert numbers(bench.take(again)) == [3]


def test_dropping_the_message_in_front_lets_the_next_of_its_key_go() -> None:
    bench = Bench(ordered=True)
    consumer = bench.consumer()
    bench.add("k", "k")
    bench.backlog.fail(bench.item(bench.take(consumer)[0]), NOW + LEASE)
    resting = bench.backlog.get(1)
    assert resting is not None and resting.state is State.RESTING
    bench.backlog.drop(resting)
    assert numbers(bench.take(consumer)) == [2]


def test_dropping_the_message_in_front_finishes_the_acknowledged_ones_after_it() -> None:
    bench = Bench(ordered=True)
    consumer = bench.consumer()
    bench.add("k", "k", "k")
    first, second, _ = bench.take(consumer)
    assert bench.backlog.ack(bench.item(second)) == []
    assert bench.backlog.drop(bench.item(first)) == [1, 2]


def test_due_are_the_leases_and_rests_that_are_over() -> None:
    bench = Bench()
    consumer = bench.consumer()
    bench.add("", "", "")
    leased = bench.take(consumer)
    bench.backlog.extend(bench.item(leased[0]), NOW + 3 * LEASE)
    bench.backlog.fail(bench.item(leased[1]), NOW + 2 * LEASE)
    assert bench.backlog.next_due() == NOW + LEASE
    assert [item.number for item in bench.backlog.due(NOW + 2 * LEASE)] == [3, 2]
    assert bench.backlog.next_due() == NOW + 3 * LEASE


OPERATIONS = st.lists(
    st.tuples(st.sampled_from(["add", "ack", "fail", "rest", "drop", "reopen", "take"]), st.integers(0, 30)),
    max_size=60,
)


@pytest.mark.parametrize("ordered", [False, True])
@settings(max_examples=150, deadline=None)
@given(operations=OPERATIONS)
def test_nothing_is_lost_and_keys_stay_in_order_whatever_happens(
    ordered: bool, operations: list[tuple[str, int]]
) -> None:
    bench = Bench(ordered)
    consumers = [bench.consumer(messages=3), bench.consumer(messages=3)]
    gone: set[int] = set()
    for operation, choice in operations:
        step(bench, consumers, gone, operation, choice)
        check(bench, consumers)
    for item in [item for item in bench.backlog._items.values() if item.state is State.RESTING]:
        bench.backlog.wake(item)
    drain(bench, consumers, gone)
    assert gone == set(range(1, bench.count + 1))
    assert all(consumer._count == 0 and consumer._bytes == 0 for consumer in consumers)


def step(bench: Bench, consumers: list[Consumer], gone: set[int], operation: str, choice: int) -> None:
    leased = [item for item in bench.backlog._items.values() if item.state is State.LEASED]
    if operation == "add":
        bench.add(["", "k", "l"][choice % 3])
    elif operation == "take":
        bench.take(consumers[choice % 2])
    elif operation == "reopen":
        bench.backlog.detach(consumers[choice % 2])
        consumers[choice % 2] = bench.consumer(messages=3)
    elif leased:
        item = leased[choice % len(leased)]
        if operation == "ack":
            gone.update(bench.backlog.ack(item))
        elif operation == "drop":
            gone.update(bench.backlog.drop(item))
        else:
            bench.backlog.fail(item, NOW + LEASE if operation == "rest" else None)


def check(bench: Bench, consumers: list[Consumer]) -> None:
    """Counts agree with what is leased, and in each line the sent come before the unsent."""
    items = list(bench.backlog._items.values())
    for consumer in consumers:
        assert consumer._count == sum(item.owner is consumer for item in items) <= 3
    for line in bench.backlog._lines.values():
        sent = [item.state in (State.LEASED, State.ACKED) for item in line.items]
        assert sent == [True] * line.sent + [False] * (len(sent) - line.sent)
        assert [item.number for item in line.items] == sorted(item.number for item in line.items)


def drain(bench: Bench, consumers: list[Consumer], gone: set[int]) -> None:
    for _ in range(bench.count + 1):
        for consumer in consumers:
            bench.take(consumer)
        for item in [item for item in bench.backlog._items.values() if item.state is State.LEASED]:
            gone.update(bench.backlog.ack(item))
