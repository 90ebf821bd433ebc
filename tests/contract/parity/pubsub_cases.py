"""Random sequences for Pub/Sub: resources made, changed, listed and deleted, messages published, pulled and settled."""

from __future__ import annotations

from typing import Any

from google.pubsub_v1.types import pubsub
from hypothesis import strategies as st

from tests.contract.parity.pubsub_side import ACK_PREFIX
from tests.contract.parity.step import Step

PROJECT = "projects/parity"
GOOD_TOPICS = [f"{PROJECT}/topics/{name}" for name in ("first", "a+b", "x%41~.-_")]
GOOD_SUBSCRIPTIONS = [f"{PROJECT}/subscriptions/{name}" for name in ("sub", "other")]
BAD_ENDS = ["", "ab", "1abc", "googly", "a b", "é" * 3, "a/b", "x" * 255, "x" * 256]
BAD_TOPICS = [f"{PROJECT}/topics/{name}" for name in BAD_ENDS] + ["", "first", f"{PROJECT}/subscriptions/first"]
BAD_SUBSCRIPTIONS = [f"{PROJECT}/subscriptions/{name}" for name in BAD_ENDS] + ["", "sub", f"{PROJECT}/topics/sub"]


def _message(kind: str, /, **fields: Any) -> Any:
    return getattr(pubsub, kind).pb()(**fields)


_topics = st.sampled_from(GOOD_TOPICS[:1] * 6 + GOOD_TOPICS)
_subscriptions = st.sampled_from(GOOD_SUBSCRIPTIONS[:1] * 4 + GOOD_SUBSCRIPTIONS)
_any_topics = st.one_of(_topics, _topics, st.sampled_from(BAD_TOPICS))
_any_subscriptions = st.one_of(_subscriptions, _subscriptions, st.sampled_from(BAD_SUBSCRIPTIONS))

create_topics = st.builds(
    lambda name, labels: Step("Publisher/CreateTopic", _message("Topic", name=name, labels=labels)),
    _any_topics,
    st.sampled_from([{}, {}, {"team": "memex"}]),
)

_SETTINGS: list[dict[str, Any]] = [
    {},
    {},
    {"ack_deadline_seconds": 30},
    {"ack_deadline_seconds": 600},
    {"ack_deadline_seconds": 601},
    {"ack_deadline_seconds": -1},
    {"enable_message_ordering": True},
    {"labels": {"a": "b"}},
    {"message_retention_duration": {"seconds": 600}},
    {"message_retention_duration": {"seconds": 599}},
    {"message_retention_duration": {"seconds": 31 * 86400 + 1}},
    {"retry_policy": {"minimum_backoff": {"seconds": 0}, "maximum_backoff": {"seconds": 600}}},
    {"retry_policy": {"minimum_backoff": {"seconds": 20}, "maximum_backoff": {"seconds": 10}}},
    {"retry_policy": {"minimum_backoff": {"seconds": 601}}},
    {"retry_policy": {}},
    {"dead_letter_policy": {"dead_letter_topic": GOOD_TOPICS[0], "max_delivery_attempts": 5}},
    {"dead_letter_policy": {"dead_letter_topic": GOOD_TOPICS[0]}},
    {"dead_letter_policy": {"dead_letter_topic": GOOD_TOPICS[0], "max_delivery_attempts": 4}},
    {"dead_letter_policy": {"dead_letter_topic": GOOD_TOPICS[0], "max_delivery_attempts": 101}},
    {"push_config": {"push_endpoint": "nonsense"}},
]
_settings = st.sampled_from(_SETTINGS)
create_subscriptions = st.builds(
    lambda name, topic, settings: Step(
        "Subscriber/CreateSubscription", _message("Subscription", name=name, topic=topic, **settings)
    ),
    _any_subscriptions,
    _any_topics,
    _settings,
)
_PATHS = [
    ["ack_deadline_seconds"],
    ["labels"],
    ["retry_policy"],
    ["dead_letter_policy"],
    ["message_retention_duration"],
]
_PATHS += [[], ["name"], ["topic"], ["filter"], ["nonsense"], ["enable_message_ordering"], ["labels", "retry_policy"]]


def _update(name: str, settings: dict[str, Any], paths: list[str]) -> Step:
    request = _message("UpdateSubscriptionRequest", subscription={"name": name, **settings})
    request.update_mask.paths.extend(paths)
    return Step("Subscriber/UpdateSubscription", request)


updates = st.builds(_update, _any_subscriptions, _settings, st.sampled_from(_PATHS))

_messages = st.builds(
    lambda data, attributes, key: {"data": data, "attributes": attributes, "ordering_key": key},
    st.sampled_from([b"", b"x", b"text"]),
    st.sampled_from([{}, {}, {"k": "v"}, {"k": ""}]),
    st.sampled_from(["", "", "key"]),
)
publishes = st.builds(
    lambda topic, messages: Step("Publisher/Publish", _message("PublishRequest", topic=topic, messages=messages)),
    st.one_of(_topics, _topics, _topics, _any_topics),
    st.lists(_messages, max_size=3),
)
pulls = st.builds(
    lambda name, most: Step(
        "Subscriber/Pull", _message("PullRequest", subscription=name, max_messages=most, return_immediately=True)
    ),
    st.one_of(_subscriptions, _subscriptions, _any_subscriptions),
    st.sampled_from([100, 100, 100, 100, 0, -1]),
)
_ack_ids = st.lists(st.sampled_from([f"{ACK_PREFIX}{n}" for n in range(4)] * 3 + ["nonsense", ""]), max_size=3)
acks = st.builds(
    lambda name, ids: Step("Subscriber/Acknowledge", _message("AcknowledgeRequest", subscription=name, ack_ids=ids)),
    st.one_of(_subscriptions, _any_subscriptions),
    _ack_ids,
)
deadlines = st.builds(
    lambda name, ids, seconds: Step(
        "Subscriber/ModifyAckDeadline",
        _message("ModifyAckDeadlineRequest", subscription=name, ack_ids=ids, ack_deadline_seconds=seconds),
    ),
    st.one_of(_subscriptions, _any_subscriptions),
    _ack_ids,
    st.sampled_from([0, 0, 10, 600, 601, -1]),
)


def _named(method: str, kind: str, field: str, names: Any) -> Any:
    return names.map(lambda name: Step(method, _message(kind, **{field: name})))


_projects = st.sampled_from([PROJECT, PROJECT, "parity", ""])
others = st.one_of(
    _named("Publisher/GetTopic", "GetTopicRequest", "topic", _any_topics),
    _named("Publisher/DeleteTopic", "DeleteTopicRequest", "topic", _any_topics),
    _named("Publisher/ListTopics", "ListTopicsRequest", "project", _projects),
    _named("Publisher/ListTopicSubscriptions", "ListTopicSubscriptionsRequest", "topic", _any_topics),
    _named("Subscriber/GetSubscription", "GetSubscriptionRequest", "subscription", _any_subscriptions),
    _named("Subscriber/DeleteSubscription", "DeleteSubscriptionRequest", "subscription", _any_subscriptions),
    _named("Subscriber/ListSubscriptions", "ListSubscriptionsRequest", "project", _projects),
)
_START = [
    Step("Publisher/CreateTopic", _message("Topic", name=GOOD_TOPICS[0])),
    Step("Subscriber/CreateSubscription", _message("Subscription", name=GOOD_SUBSCRIPTIONS[0], topic=GOOD_TOPICS[0])),
]
resources = st.lists(st.one_of(create_topics, create_subscriptions, updates, others, others), min_size=1, max_size=6)
deliveries = st.lists(st.one_of(publishes, publishes, pulls, pulls, acks, deadlines), min_size=1, max_size=8).map(
    lambda steps: [*_START, *steps]
)
mixed = st.lists(
    st.one_of(create_topics, create_subscriptions, publishes, publishes, pulls, pulls, acks, deadlines, others),
    min_size=1,
    max_size=8,
).map(lambda steps: [*_START, *steps])

KINDS: dict[str, Any] = {"resources": resources, "deliveries": deliveries, "mixed": mixed}
