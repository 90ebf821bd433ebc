"""Ordering keys, attribute filters, dead letters and retry policies."""

from __future__ import annotations

from typing import Any

import pytest
from google.api_core.exceptions import InvalidArgument, NotFound, OutOfRange

from tests.contract.pubsub.cloud import PATIENCE_SECONDS, Cloud, eventually, texts

pytestmark = pytest.mark.filterwarnings("ignore:The return_immediately flag is deprecated:DeprecationWarning")


def test_messages_of_a_key_come_in_order(cloud: Cloud) -> None:
    topic = cloud.topic()
    subscription = cloud.subscription(topic, enable_message_ordering=True)
    wanted = [f"m{i}" for i in range(20)]
    cloud.publish(topic, *wanted, key="k")
    got: list[str] = []
    while len(got) < 20:
        received = cloud.pull(subscription, limit=7)
        got += texts(received)
        cloud.ack(subscription, received)
    assert got == wanted
    assert received[0].message.ordering_key == "k"


def test_a_nack_repeats_that_message_and_those_after_it(cloud: Cloud) -> None:
    cloud.differs("key-order")
    topic = cloud.topic()
    subscription = cloud.subscription(topic, enable_message_ordering=True)
    cloud.publish(topic, "a", "b", "c", key="k")
    received = cloud.pull(subscription, 3)
    assert texts(received) == ["a", "b", "c"]
    cloud.ack(subscription, received[:1])
    cloud.nack(subscription, received[1:2])
    assert texts(cloud.pull(subscription, 2)) == ["b", "c"]


def test_acknowledged_messages_after_a_nacked_one_are_repeated_too(cloud: Cloud) -> None:
    cloud.differs("key-order")
    topic = cloud.topic()
    subscription = cloud.subscription(topic, enable_message_ordering=True)
    cloud.publish(topic, "a", "b", "c", key="k")
    received = cloud.pull(subscription, 3)
    cloud.ack(subscription, received[1:])
    cloud.nack(subscription, received[:1])
    assert texts(cloud.pull(subscription, 3)) == ["a", "b", "c"]


def test_a_key_with_outstanding_messages_is_given_to_no_other_pull(cloud: Cloud) -> None:
    topic = cloud.topic()
    subscription = cloud.subscription(topic, enable_message_ordering=True)
    cloud.publish(topic, "a", "b", key="k")
    cloud.publish(topic, "other", key="l")
    first = cloud.pull(subscription, limit=1)
    assert texts(first) == ["a"]
    assert texts(cloud.pull(subscription)) == ["other"]
    assert cloud.nothing(subscription)
    cloud.ack(subscription, first)
    assert texts(cloud.pull(subscription)) == ["b"]


def test_a_stream_handles_a_key_in_order_over_nacks(cloud: Cloud) -> None:
    cloud.differs("key-order")
    topic = cloud.topic()
    subscription = cloud.subscription(topic, enable_message_ordering=True)
    done: list[str] = []
    failed: set[str] = set()

    def handle(message: Any) -> None:
        text = message.data.decode()
        if text in ("m3", "m7") and text not in failed:
            failed.add(text)
            message.nack()
            return
        done.append(text)
        message.ack()

    stream = cloud.subscriber.subscribe(subscription, handle)
    cloud.publish(topic, *(f"m{i}" for i in range(10)), key="k")
    eventually(lambda: len(set(done)) == 10 and done[-1] == "m9")
    stream.cancel()
    stream.result(PATIENCE_SECONDS)
    # The client goes on with what it holds after a nack; the repetition is complete and in order.
    lasts = [text for i, text in enumerate(done) if text not in done[i + 1 :]]
    assert lasts == [f"m{i}" for i in range(10)]


def test_without_ordering_a_key_is_only_carried(cloud: Cloud) -> None:
    topic = cloud.topic()
    subscription = cloud.subscription(topic)
    cloud.publish(topic, "a", "b", key="k")
    first = cloud.pull(subscription, limit=1)
    assert first[0].message.ordering_key == "k"
    assert len(cloud.pull(subscription)) == 1


def test_a_filter_lets_only_matching_messages_through(cloud: Cloud) -> None:
    cloud.differs("filters")
    topic = cloud.topic()
    subscription = cloud.subscription(topic, filter='attributes.kind = "report" AND NOT attributes:draft')
    cloud.publish(topic, "note", kind="note")
    cloud.publish(topic, "draft", kind="report", draft="1")
    cloud.publish(topic, "report", kind="report")
    assert texts(cloud.pull(subscription)) == ["report"]
    assert cloud.nothing(subscription)


def test_a_bad_filter_is_refused(cloud: Cloud) -> None:
    cloud.differs("filters")
    with pytest.raises(InvalidArgument, match="Invalid filter syntax"):
        cloud.subscription(cloud.topic(), filter="kind = report")


def test_what_fails_too_often_goes_to_the_dead_letter_topic(cloud: Cloud) -> None:
    cloud.differs("dead-letters")
    topic, graves = cloud.topic(), cloud.topic("graves")
    buried = cloud.subscription(graves, "buried")
    policy = {"dead_letter_topic": graves, "max_delivery_attempts": 5}
    subscription = cloud.subscription(topic, dead_letter_policy=policy)
    cloud.publish(topic, "poison", colour="green")
    attempts = []
    for _ in range(5):
        received = cloud.pull(subscription)
        attempts.append(received[0].delivery_attempt)
        cloud.nack(subscription, received)
    assert attempts == [1, 2, 3, 4, 5]
    (letter,) = cloud.pull(buried)
    assert letter.message.data == b"poison"
    assert letter.message.attributes["colour"] == "green"
    assert letter.message.attributes["CloudPubSubDeadLetterSourceDeliveryCount"] == "5"
    assert letter.message.attributes["CloudPubSubDeadLetterSourceSubscription"] == "subscription"
    assert letter.message.attributes["CloudPubSubDeadLetterSourceSubscriptionProject"] == cloud.project
    assert "CloudPubSubDeadLetterSourceTopicPublishTime" in letter.message.attributes
    assert cloud.nothing(subscription)


def test_a_dead_letter_topic_must_be_there_and_attempts_within_bounds(cloud: Cloud) -> None:
    topic = cloud.topic()
    with pytest.raises(NotFound):
        cloud.subscription(topic, dead_letter_policy={"dead_letter_topic": cloud.topic_path("nowhere")})
    for attempts in (4, 101):
        with pytest.raises(OutOfRange):
            policy = {"dead_letter_topic": topic, "max_delivery_attempts": attempts}
            cloud.subscription(topic, dead_letter_policy=policy)


def test_a_retry_policy_keeps_a_failed_message_back(cloud: Cloud) -> None:
    cloud.differs("retry-policy")
    topic = cloud.topic()
    subscription = cloud.subscription(topic, retry_policy={"minimum_backoff": {"seconds": 1}})
    cloud.publish(topic, "a")
    cloud.nack(subscription, cloud.pull(subscription))
    assert cloud.nothing(subscription)
    assert texts(cloud.pull(subscription)) == ["a"]
