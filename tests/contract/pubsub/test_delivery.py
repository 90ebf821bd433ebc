"""Publish, pull, streaming pull, acknowledge and deadlines, through the unmodified client."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from google.api_core.exceptions import InvalidArgument, NotFound
from google.cloud.pubsub_v1.types import FlowControl

from tests.contract.pubsub.cloud import PATIENCE_SECONDS, Cloud, eventually, texts

pytestmark = pytest.mark.filterwarnings("ignore:The return_immediately flag is deprecated:DeprecationWarning")


def test_what_is_published_is_pulled_with_all_its_fields(cloud: Cloud) -> None:
    topic = cloud.topic()
    subscription = cloud.subscription(topic)
    (message_id,) = cloud.publish(topic, "hello", colour="blue", size="")
    (received,) = cloud.pull(subscription)
    assert received.message.data == b"hello"
    assert dict(received.message.attributes) == {"colour": "blue", "size": ""}
    assert received.message.message_id == message_id
    assert received.message.publish_time is not None
    assert received.delivery_attempt == 0


def test_each_subscription_gets_a_copy(cloud: Cloud) -> None:
    topic = cloud.topic()
    names = [cloud.subscription(topic, name) for name in ("first", "second")]
    cloud.publish(topic, "a", "b")
    assert [sorted(texts(cloud.pull(name, 2))) for name in names] == [["a", "b"]] * 2


def test_a_subscription_gets_only_what_is_published_after_it(cloud: Cloud) -> None:
    topic = cloud.topic()
    cloud.publish(topic, "early")
    subscription = cloud.subscription(topic)
    cloud.publish(topic, "late")
    assert texts(cloud.pull(subscription)) == ["late"]


def test_a_leased_message_is_not_given_to_another(cloud: Cloud) -> None:
    topic = cloud.topic()
    subscription = cloud.subscription(topic)
    cloud.publish(topic, "a")
    cloud.pull(subscription)
    assert cloud.nothing(subscription)


def test_an_acknowledged_message_is_gone_even_after_a_nack(cloud: Cloud) -> None:
    topic = cloud.topic()
    subscription = cloud.subscription(topic)
    cloud.publish(topic, "a")
    received = cloud.pull(subscription)
    cloud.ack(subscription, received)
    cloud.nack(subscription, received)
    assert cloud.nothing(subscription)


def test_a_nack_delivers_again_at_once_with_another_ack_id(cloud: Cloud) -> None:
    topic = cloud.topic()
    subscription = cloud.subscription(topic, ack_deadline_seconds=600)
    cloud.publish(topic, "a")
    first = cloud.pull(subscription)
    cloud.nack(subscription, first)
    second = cloud.pull(subscription)
    assert texts(second) == ["a"]
    assert second[0].ack_id != first[0].ack_id
    assert second[0].message.message_id == first[0].message.message_id


def test_a_deadline_that_passes_delivers_again(cloud: Cloud) -> None:
    topic = cloud.topic()
    subscription = cloud.subscription(topic, ack_deadline_seconds=600)
    cloud.publish(topic, "a")
    cloud.nack(subscription, cloud.pull(subscription), seconds=1)
    assert texts(cloud.pull(subscription)) == ["a"]


def test_a_waiting_pull_answers_as_soon_as_something_is_published(cloud: Cloud) -> None:
    topic = cloud.topic()
    subscription = cloud.subscription(topic)
    got: list[str] = []
    waiting = threading.Thread(target=lambda: got.extend(texts(cloud.pull(subscription))))
    waiting.start()
    cloud.publish(topic, "a")
    waiting.join(PATIENCE_SECONDS)
    assert got == ["a"]


def test_a_pull_with_nothing_to_give_answers_empty_before_the_client_gives_up(cloud: Cloud) -> None:
    subscription = cloud.subscription(cloud.topic())
    answer = cloud.subscriber.pull(subscription=subscription, max_messages=1, timeout=2, retry=None)
    assert not answer.received_messages


def test_a_pull_gives_no_more_than_was_asked_for(cloud: Cloud) -> None:
    topic = cloud.topic()
    subscription = cloud.subscription(topic)
    cloud.publish(topic, "a", "b", "c")
    answer = cloud.subscriber.pull(subscription=subscription, max_messages=2)
    assert len(answer.received_messages) == 2
    assert len(cloud.pull(subscription)) == 1


@pytest.mark.parametrize("ack_ids", [[], ["nonsense"]])
def test_bad_ack_ids_are_refused(cloud: Cloud, ack_ids: list[str]) -> None:
    subscription = cloud.subscription(cloud.topic())
    with pytest.raises(InvalidArgument):
        cloud.subscriber.acknowledge(subscription=subscription, ack_ids=ack_ids)
    with pytest.raises(InvalidArgument):
        cloud.subscriber.modify_ack_deadline(subscription=subscription, ack_ids=ack_ids, ack_deadline_seconds=10)


def test_pulling_nothing_or_from_nowhere_is_refused(cloud: Cloud) -> None:
    subscription = cloud.subscription(cloud.topic())
    with pytest.raises(InvalidArgument):
        cloud.subscriber.pull(subscription=subscription, max_messages=0)
    with pytest.raises(NotFound):
        cloud.subscriber.pull(subscription=cloud.subscription_path("nowhere"), max_messages=1)


def test_a_stream_delivers_what_is_there_and_what_comes(cloud: Cloud) -> None:
    topic = cloud.topic()
    subscription = cloud.subscription(topic)
    cloud.publish(topic, "before")
    got: list[str] = []

    def handle(message: Any) -> None:
        got.append(message.data.decode())
        message.ack()

    stream = cloud.subscriber.subscribe(subscription, handle)
    cloud.publish(topic, *(f"m{i}" for i in range(50)))
    eventually(lambda: len(got) == 51)
    stream.cancel()
    stream.result(PATIENCE_SECONDS)
    assert sorted(got) == sorted(["before", *(f"m{i}" for i in range(50))])
    assert cloud.nothing(subscription)


def test_a_stream_nack_delivers_again(cloud: Cloud) -> None:
    topic = cloud.topic()
    subscription = cloud.subscription(topic)
    seen: list[str] = []

    def handle(message: Any) -> None:
        seen.append(message.message_id)
        if len(seen) == 1:
            message.nack()
        else:
            message.ack()

    stream = cloud.subscriber.subscribe(subscription, handle)
    cloud.publish(topic, "a")
    eventually(lambda: len(seen) == 2)
    stream.cancel()
    stream.result(PATIENCE_SECONDS)
    assert seen[0] == seen[1]


def test_a_stream_holds_no_more_than_its_flow_control_allows(cloud: Cloud) -> None:
    cloud.differs("flow-control")
    topic = cloud.topic()
    subscription = cloud.subscription(topic)
    cloud.publish(topic, *(f"m{i}" for i in range(10)))
    gate, held, lock = threading.Event(), [0, 0, 0], threading.Lock()

    def handle(message: Any) -> None:
        with lock:
            held[0], held[1] = held[0] + 1, max(held[1], held[0] + 1)
        gate.wait(PATIENCE_SECONDS)
        with lock:
            held[0], held[2] = held[0] - 1, held[2] + 1
        message.ack()

    stream = cloud.subscriber.subscribe(subscription, handle, flow_control=FlowControl(max_messages=3))
    eventually(lambda: held[0] == 3)
    others = cloud.pull(subscription, 7)  # the stream has three; the other seven are free for someone else
    assert len(others) == 7
    gate.set()
    eventually(lambda: held[2] == 3)
    stream.cancel()
    stream.result(PATIENCE_SECONDS)
    assert held[1] == 3


def test_a_stream_ends_with_not_found_when_its_subscription_is_deleted(cloud: Cloud) -> None:
    subscription = cloud.subscription(cloud.topic())
    stream = cloud.subscriber.subscribe(subscription, lambda message: message.ack())
    with pytest.raises(TimeoutError):
        stream.result(0.2)
    cloud.subscriber.delete_subscription(subscription=subscription)
    with pytest.raises(NotFound):
        stream.result(PATIENCE_SECONDS)
