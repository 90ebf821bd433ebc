"""The gRPC service google.pubsub.v1.Publisher."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import grpc
from google.protobuf import empty_pb2
from google.pubsub_v1 import types

from infra.local.pubsub.broker import Broker
from infra.local.pubsub.names import already_exists, check_name, check_project, invalid, unsupported
from infra.local.pubsub.paging import page
from infra.local.pubsub.sizes import check_publish
from infra.local.pubsub.updates import updated
from infra.local.rpc import Method, service_handler

_MUTABLE = frozenset({"labels", "message_storage_policy", "message_retention_duration"})
_REFUSED_FIELDS = ("schema_settings", "ingestion_data_source_settings", "kms_key_name", "message_transforms")
_REFUSED_METHODS = ("ListTopicSnapshots", "DetachSubscription")


class TopicsApi:
    """Topics, and publishing to them."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker

    def handler(self) -> grpc.GenericRpcHandler:
        topic, empty = types.Topic.pb(), empty_pb2.Empty
        methods = {
            "CreateTopic": Method(self.create, topic, topic),
            "UpdateTopic": Method(self.update, types.UpdateTopicRequest.pb(), topic),
            "Publish": Method(self.publish, types.PublishRequest.pb(), types.PublishResponse.pb()),
            "GetTopic": Method(self.get, types.GetTopicRequest.pb(), topic),
            "ListTopics": Method(self.list, types.ListTopicsRequest.pb(), types.ListTopicsResponse.pb()),
            "ListTopicSubscriptions": Method(
                self.list_subscriptions,
                types.ListTopicSubscriptionsRequest.pb(),
                types.ListTopicSubscriptionsResponse.pb(),
            ),
            "DeleteTopic": Method(self.delete, types.DeleteTopicRequest.pb(), empty),
        }
        return service_handler("google.pubsub.v1.Publisher", methods, _REFUSED_METHODS)

    def create(self, topic: Any, _context: grpc.ServicerContext) -> Any:
        check_name(topic.name, "topics")
        _check_topic(topic)
        with self._broker.lock:
            if topic.name in self._broker.topics:
                raise already_exists(topic.name)
            self._broker.put_topic(topic)
        return topic

    def update(self, request: Any, _context: grpc.ServicerContext) -> Any:
        with self._broker.lock:
            current = self._broker.topic(request.topic.name)
            topic = updated(current, request.topic, list(request.update_mask.paths), _MUTABLE)
            _check_topic(topic)
            self._broker.put_topic(topic)
        return topic

    def publish(self, request: Any, _context: grpc.ServicerContext) -> Any:
        check_name(request.topic, "topics")
        check_publish(request)
        ids = self._broker.publish(request.topic, list(request.messages))
        return types.PublishResponse.pb()(message_ids=ids)

    def get(self, request: Any, _context: grpc.ServicerContext) -> Any:
        return self._broker.topic(check_name(request.topic, "topics"))

    def list(self, request: Any, _context: grpc.ServicerContext) -> Any:
        prefix = f"{check_project(request.project)}/topics/"
        names = [name for name in list(self._broker.topics) if name.startswith(prefix)]
        found, token = page(names, request.page_size, request.page_token)
        topics = [self._broker.topics[name] for name in found if name in self._broker.topics]
        return types.ListTopicsResponse.pb()(topics=topics, next_page_token=token)

    def list_subscriptions(self, request: Any, _context: grpc.ServicerContext) -> Any:
        self._broker.topic(check_name(request.topic, "topics"))
        names = [queue.config.name for queue in self._broker.subscribers(request.topic)]
        found, token = page(names, request.page_size, request.page_token)
        return types.ListTopicSubscriptionsResponse.pb()(subscriptions=found, next_page_token=token)

    def delete(self, request: Any, _context: grpc.ServicerContext) -> Any:
        self._broker.drop_topic(check_name(request.topic, "topics"))
        return empty_pb2.Empty()


def _check_topic(topic: Any) -> None:
    present = {descriptor.name for descriptor, _ in topic.ListFields()}
    for name in _REFUSED_FIELDS:
        if name in present:
            raise unsupported(f"Topic.{name}")
    if "message_retention_duration" in present:
        retention = topic.message_retention_duration.ToTimedelta()
        if not timedelta(minutes=10) <= retention <= timedelta(days=31):
            raise invalid("The value for message_retention_duration must be between 10 minutes and 31 days.")
