"""Topics and subscriptions: create, get, list, update, delete, and what is refused."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from google.api_core.exceptions import AlreadyExists, InvalidArgument, MethodNotImplemented, NotFound
from google.pubsub_v1 import PublisherClient
from google.pubsub_v1.types import PubsubMessage

from tests.contract.pubsub.cloud import Cloud, texts


def publish_raw(cloud: Cloud, topic: str, *messages: PubsubMessage) -> list[str]:
    """Publish without the client's own checks."""
    answer = PublisherClient.publish(cloud.publisher, topic=topic, messages=list(messages), retry=None)
    return list(answer.message_ids)


def test_a_topic_can_be_got_until_it_is_deleted(cloud: Cloud) -> None:
    topic = cloud.topic()
    assert cloud.publisher.get_topic(topic=topic).name == topic
    cloud.publisher.delete_topic(topic=topic)
    with pytest.raises(NotFound):
        cloud.publisher.get_topic(topic=topic)


def test_a_topic_is_created_once(cloud: Cloud) -> None:
    cloud.topic()
    with pytest.raises(AlreadyExists):
        cloud.topic()


@pytest.mark.parametrize("name", ["ab", "1abc", "goog-topic", "has space", "x" * 256, "a/b/c"])
def test_a_bad_topic_name_is_refused(cloud: Cloud, name: str) -> None:
    with pytest.raises(InvalidArgument):
        cloud.topic(name)


def test_topics_are_listed_by_project_and_page(cloud: Cloud) -> None:
    names = [cloud.topic(f"topic-{i}") for i in range(5)]
    project = f"projects/{cloud.project}"
    assert sorted(topic.name for topic in cloud.publisher.list_topics(project=project)) == names
    pages = list(cloud.publisher.list_topics(request={"project": project, "page_size": 2}).pages)
    assert [len(page.topics) for page in pages] == [2, 2, 1]
    assert sorted(topic.name for page in pages for topic in page.topics) == names
    assert not list(cloud.publisher.list_topics(project="projects/nobody"))


def test_publishing_to_a_missing_topic_is_not_found(cloud: Cloud) -> None:
    with pytest.raises(NotFound):
        publish_raw(cloud, cloud.topic_path("nowhere"), PubsubMessage(data=b"x"))


def test_message_ids_are_new_each_time(cloud: Cloud) -> None:
    topic = cloud.topic()
    ids = publish_raw(cloud, topic, *[PubsubMessage(data=b"x")] * 3) + publish_raw(
        cloud, topic, PubsubMessage(data=b"x")
    )
    assert len(set(ids)) == 4


@pytest.mark.parametrize("messages", [[], [PubsubMessage()], [PubsubMessage(ordering_key="k")]])
def test_publishing_nothing_is_refused(cloud: Cloud, messages: list[PubsubMessage]) -> None:
    with pytest.raises(InvalidArgument):
        publish_raw(cloud, cloud.topic(), *messages)


def test_a_thousand_messages_are_the_most_of_one_request(cloud: Cloud) -> None:
    topic = cloud.topic()
    assert len(publish_raw(cloud, topic, *[PubsubMessage(data=b"x")] * 1000)) == 1000
    with pytest.raises(InvalidArgument):
        publish_raw(cloud, topic, *[PubsubMessage(data=b"x")] * 1001)


def test_an_attribute_alone_is_enough(cloud: Cloud) -> None:
    topic = cloud.topic()
    subscription = cloud.subscription(topic)
    publish_raw(cloud, topic, PubsubMessage(attributes={"k": "v"}))
    assert dict(cloud.pull(subscription)[0].message.attributes) == {"k": "v"}


@pytest.mark.parametrize(
    "message",
    [
        PubsubMessage(attributes={"k" * 257: "v"}),
        PubsubMessage(attributes={"k": "v" * 1025}),
        PubsubMessage(attributes={str(i): "v" for i in range(101)}),
        PubsubMessage(attributes={"goog-key": "v"}),
        PubsubMessage(attributes={"": "v"}),
        PubsubMessage(data=b"x", ordering_key="k" * 1025),
        PubsubMessage(data=b"x" * (10 * 1024 * 1024)),
    ],
    ids=["long key", "long value", "many attributes", "reserved key", "empty key", "long ordering key", "10 MB"],
)
def test_a_message_beyond_the_limits_is_refused(cloud: Cloud, message: PubsubMessage) -> None:
    cloud.differs("message-limits")
    with pytest.raises(InvalidArgument):
        publish_raw(cloud, cloud.topic(), message)


def test_a_message_at_the_limits_is_taken(cloud: Cloud) -> None:
    attributes = {f"{i:03}".ljust(256, "k"): "v" * 1024 for i in range(100)}
    message = PubsubMessage(data=b"x", attributes=attributes, ordering_key="k" * 1024)
    topic = cloud.topic()
    subscription = cloud.subscription(topic)
    publish_raw(cloud, topic, message)
    assert dict(cloud.pull(subscription)[0].message.attributes) == attributes


def test_labels_of_a_topic_can_change(cloud: Cloud) -> None:
    cloud.differs("update-topic")
    topic = cloud.topic()
    request = {"topic": {"name": topic, "labels": {"team": "memex"}}, "update_mask": {"paths": ["labels"]}}
    cloud.publisher.update_topic(request=request)
    assert dict(cloud.publisher.get_topic(topic=topic).labels) == {"team": "memex"}


@pytest.mark.parametrize("paths", [[], ["name"], ["nonsense"]])
def test_an_update_with_a_bad_mask_is_refused(cloud: Cloud, paths: list[str]) -> None:
    topic = cloud.topic()
    with pytest.raises(InvalidArgument):
        cloud.publisher.update_topic(request={"topic": {"name": topic}, "update_mask": {"paths": paths}})


def test_a_subscription_shows_productions_defaults(cloud: Cloud) -> None:
    topic = cloud.topic()
    name = cloud.subscription(topic, retry_policy={})
    found = cloud.subscriber.get_subscription(subscription=name)
    assert (found.name, found.topic, found.ack_deadline_seconds) == (name, topic, 10)
    assert found.message_retention_duration == timedelta(days=7)
    assert found.retry_policy.minimum_backoff == timedelta(seconds=10)
    assert found.retry_policy.maximum_backoff == timedelta(seconds=600)


def test_a_subscription_is_created_once_and_needs_its_topic(cloud: Cloud) -> None:
    topic = cloud.topic()
    cloud.subscription(topic)
    with pytest.raises(AlreadyExists):
        cloud.subscription(topic)
    with pytest.raises(NotFound):
        cloud.subscription(cloud.topic_path("nowhere"), "other")
    with pytest.raises(InvalidArgument):
        cloud.subscription("", "other")


@pytest.mark.parametrize(
    "settings",
    [
        {"ack_deadline_seconds": 601},
        {"retry_policy": {"minimum_backoff": timedelta(seconds=601)}},
        {"retry_policy": {"minimum_backoff": timedelta(seconds=20), "maximum_backoff": timedelta(seconds=10)}},
        {"message_retention_duration": timedelta(seconds=5)},
        {"push_config": {"push_endpoint": "nonsense"}},
    ],
    ids=str,
)
def test_bad_settings_are_refused(cloud: Cloud, settings: dict[str, Any]) -> None:
    topic = cloud.topic()
    with pytest.raises(InvalidArgument):
        cloud.subscription(topic, **settings)
    assert not list(cloud.publisher.list_topic_subscriptions(topic=topic))


def test_settings_of_a_subscription_can_change_and_others_stay(cloud: Cloud) -> None:
    name = cloud.subscription(cloud.topic(), ack_deadline_seconds=20)
    wanted = {"name": name, "ack_deadline_seconds": 30, "retry_policy": {"minimum_backoff": timedelta(seconds=1)}}
    cloud.subscriber.update_subscription(
        request={"subscription": wanted, "update_mask": {"paths": ["ack_deadline_seconds"]}}
    )
    found = cloud.subscriber.get_subscription(subscription=name)
    assert found.ack_deadline_seconds == 30
    assert "retry_policy" not in found


@pytest.mark.parametrize("field", ["topic", "filter", "enable_message_ordering", "nonsense"])
def test_what_is_fixed_at_creation_cannot_change(cloud: Cloud, field: str) -> None:
    name = cloud.subscription(cloud.topic())
    with pytest.raises(InvalidArgument):
        cloud.subscriber.update_subscription(
            request={"subscription": {"name": name}, "update_mask": {"paths": [field]}}
        )


def test_subscriptions_are_listed_by_project_and_by_topic(cloud: Cloud) -> None:
    first, second = cloud.topic("first"), cloud.topic("second")
    a, b, c = (
        cloud.subscription(first, "sub-a"),
        cloud.subscription(first, "sub-b"),
        cloud.subscription(second, "sub-c"),
    )
    found = cloud.subscriber.list_subscriptions(project=f"projects/{cloud.project}")
    assert sorted(each.name for each in found) == [a, b, c]
    assert sorted(cloud.publisher.list_topic_subscriptions(topic=first)) == [a, b]


def test_subscriptions_of_a_missing_topic_are_not_found(cloud: Cloud) -> None:
    cloud.differs("subscriptions-of-no-topic")
    with pytest.raises(NotFound):
        list(cloud.publisher.list_topic_subscriptions(topic=cloud.topic_path("nowhere")))


def test_a_deleted_subscription_is_gone_with_its_messages(cloud: Cloud) -> None:
    topic = cloud.topic()
    name = cloud.subscription(topic)
    cloud.publish(topic, "old")
    cloud.subscriber.delete_subscription(subscription=name)
    with pytest.raises(NotFound):
        cloud.subscriber.delete_subscription(subscription=name)
    assert cloud.subscription(topic) == name
    cloud.publish(topic, "new")
    assert texts(cloud.pull(name)) == ["new"]


def test_a_subscription_outlives_its_topic_with_what_it_has(cloud: Cloud) -> None:
    topic = cloud.topic()
    name = cloud.subscription(topic)
    cloud.publish(topic, "last")
    cloud.publisher.delete_topic(topic=topic)
    assert cloud.subscriber.get_subscription(subscription=name).topic == "_deleted-topic_"
    cloud.topic()
    cloud.publish(topic, "of the new topic")
    received = cloud.pull(name)
    assert texts(received) == ["last"]


def test_an_ack_deadline_has_ten_seconds_at_least(cloud: Cloud) -> None:
    cloud.differs("short-deadline")
    with pytest.raises(InvalidArgument):
        cloud.subscription(cloud.topic(), ack_deadline_seconds=9)


@pytest.mark.parametrize(
    "settings",
    [
        {"enable_exactly_once_delivery": True},
        {"retain_acked_messages": True},
        {"bigquery_config": {"table": "p.d.t"}},
        {"expiration_policy": {"ttl": timedelta(days=1)}},
        {"push_config": {"push_endpoint": "https://x.example/", "no_wrapper": {}}},
    ],
    ids=lambda settings: str(next(iter(settings))),
)
def test_what_the_local_cloud_does_not_have_is_refused_by_name(cloud: Cloud, settings: dict[str, Any]) -> None:
    cloud.differs("refused-here")
    topic = cloud.topic()
    with pytest.raises(MethodNotImplemented, match=f"Subscription.{next(iter(settings))}"):
        cloud.subscription(topic, **settings)


def test_seek_detach_and_snapshots_are_refused_by_name(cloud: Cloud) -> None:
    cloud.differs("refused-here")
    name = cloud.subscription(cloud.topic())
    with pytest.raises(MethodNotImplemented, match="Subscriber/Seek is not implemented"):
        cloud.subscriber.seek(request={"subscription": name, "snapshot": f"projects/{cloud.project}/snapshots/snap"})
    with pytest.raises(MethodNotImplemented, match="Publisher/DetachSubscription"):
        cloud.publisher.detach_subscription(request={"subscription": name})
    with pytest.raises(MethodNotImplemented, match="Subscriber/CreateSnapshot"):
        cloud.subscriber.create_snapshot(name=f"projects/{cloud.project}/snapshots/snap", subscription=name)


def test_refusals_are_in_productions_words(cloud: Cloud) -> None:
    cloud.differs("words")
    topic = cloud.topic()
    with pytest.raises(AlreadyExists, match=r"Resource already exists in the project \(resource=topic\)\."):
        cloud.topic()
    with pytest.raises(NotFound, match=r"Resource not found \(resource=nowhere\)\."):
        cloud.subscription(cloud.topic_path("nowhere"))
    with pytest.raises(InvalidArgument, match="Each message must contain either non-empty data, or at least one attr"):
        publish_raw(cloud, topic, PubsubMessage())
