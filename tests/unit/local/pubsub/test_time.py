"""Deadlines, backoff and retention, by the clock."""

from __future__ import annotations

from datetime import timedelta

import pytest

from infra.local.pubsub.broker import Broker
from tests.unit.local.pubsub.world import SUBSCRIPTION, TOPIC, World

pytestmark = pytest.mark.filterwarnings("ignore:The return_immediately flag is deprecated:DeprecationWarning")


def test_a_message_comes_again_when_its_deadline_passes_and_not_before(world: World) -> None:
    world.topic(ack_deadline_seconds=30)
    world.publish("a")
    assert world.texts() == ["a"]
    world.advance(29)
    assert world.texts() == []
    world.advance(2)
    assert world.texts() == ["a"]


def test_a_deadline_can_be_moved_away(world: World) -> None:
    world.topic(ack_deadline_seconds=10)
    world.publish("a")
    world.nack(world.pull(), seconds=100)
    world.advance(99)
    assert world.texts() == []
    world.advance(2)
    assert world.texts() == ["a"]


def test_a_late_acknowledgement_counts(world: World) -> None:
    world.topic()
    world.publish("a")
    late = world.pull()
    world.advance(11)
    world.ack(late)
    assert world.texts() == []


def test_a_stale_nack_does_not_touch_the_lease_of_another(world: World) -> None:
    world.topic()
    world.publish("a")
    stale = world.pull()
    world.advance(11)
    assert world.texts() == ["a"]
    world.nack(stale)
    assert world.texts() == []


def test_backoff_doubles_up_to_its_maximum(world: World) -> None:
    policy = {"minimum_backoff": timedelta(seconds=10), "maximum_backoff": timedelta(seconds=35)}
    world.topic(retry_policy=policy, ack_deadline_seconds=600)
    world.publish("a")
    for wait in (10, 20, 35, 35):
        received = world.pull()
        assert len(received) == 1
        world.nack(received)
        world.advance(wait - 1)
        assert world.pull() == []
        world.advance(1.1)


def test_a_passed_deadline_backs_off_like_a_nack(world: World) -> None:
    world.topic(retry_policy={"minimum_backoff": timedelta(seconds=60)}, ack_deadline_seconds=10)
    world.publish("a")
    world.pull()
    world.advance(65)
    assert world.texts() == []
    world.advance(6)
    assert world.texts() == ["a"]


def test_a_backing_off_message_keeps_its_key_back_and_no_other(world: World) -> None:
    policy = {"minimum_backoff": timedelta(seconds=10)}
    world.topic(retry_policy=policy, enable_message_ordering=True, ack_deadline_seconds=600)
    world.publish("a", "b", key="k")
    world.nack(world.pull())
    world.publish("other", key="l")
    assert world.texts() == ["other"]
    world.advance(11)
    assert world.texts() == ["a", "b"]


def test_what_nobody_takes_is_forgotten_after_its_retention(world: World) -> None:
    world.topic(message_retention_duration=timedelta(hours=1))
    world.publish("old")
    world.advance(1800)
    world.publish("young")
    world.advance(1801)
    assert world.texts() == ["young"]
    assert stored(world.part._broker) == 1


def test_an_idle_subscription_sets_no_timer(world: World) -> None:
    world.topic()
    world.publish("a")
    world.ack(world.pull())
    before = world.clock.now()
    assert not world.clock.run_until(lambda: False, limit=timedelta(days=400))
    assert world.clock.now() - before < timedelta(minutes=2)


def test_a_dead_letter_keeps_its_key_going(world: World) -> None:
    world.part.ensure_topic(graves := "projects/memex-local/topics/graves")
    world.part.ensure_subscription("projects/memex-local/subscriptions/buried", graves)
    world.topic(dead_letter_policy={"dead_letter_topic": graves}, enable_message_ordering=True)
    world.publish("poison", "next", key="k")
    for attempt in range(1, 6):
        received = world.pull()
        assert [each.delivery_attempt for each in received][0] == attempt
        world.ack(received[1:])
        world.nack(received[:1])
    assert world.texts() == []
    assert world.part.backlog() == {"projects/memex-local/subscriptions/buried": 1, SUBSCRIPTION: 0}


def test_a_deleted_dead_letter_topic_means_trying_on(world: World) -> None:
    world.part.ensure_topic(graves := "projects/memex-local/topics/graves")
    world.topic(dead_letter_policy={"dead_letter_topic": graves})
    world.publisher.delete_topic(topic=graves)
    world.publish("poison")
    for _ in range(8):
        world.nack(world.pull())
    assert world.texts() == ["poison"]


def test_the_bill_counts_a_thousand_bytes_for_a_request_at_least(world: World) -> None:
    world.topic()
    world.publish("a", "b", "c")
    world.pull()
    assert world.meter.totals() == {("pubsub", "publish_bytes"): 1000, ("pubsub", "delivery_bytes"): 1000}
    world.publish("x" * 5000)
    body, timestamp, message_id = 5000, 20, 17
    assert world.meter.totals()["pubsub", "publish_bytes"] == 1000 + body + timestamp + message_id


def test_settled_messages_leave_nothing_on_disk(world: World) -> None:
    world.topic()
    world.part.ensure_subscription(f"{SUBSCRIPTION}-2", TOPIC)
    world.publish("a", "b")
    world.ack(world.pull())
    assert stored(world.part._broker) == 2
    world.subscriber.delete_subscription(subscription=f"{SUBSCRIPTION}-2")
    assert stored(world.part._broker) == 0


def stored(broker: Broker) -> int:
    with broker.store.write() as db:
        (count,) = db.execute("SELECT count(*) FROM messages").fetchone()
    return int(count)
