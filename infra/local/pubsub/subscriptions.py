"""Subscriptions of google.pubsub.v1.Subscriber: create, get, list, update, delete."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc
from google.protobuf import empty_pb2
from google.pubsub_v1 import types

from infra.local.pubsub.broker import Broker
from infra.local.pubsub.names import already_exists, check_name, check_project
from infra.local.pubsub.paging import page
from infra.local.pubsub.queue import Queue
from infra.local.pubsub.settings import MUTABLE, complete
from infra.local.pubsub.updates import updated
from infra.local.rpc import Method


class SubscriptionsApi:
    """`connect(queue)` is called for each new or changed subscription, so that a pusher can be put to it."""

    def __init__(self, broker: Broker, connect: Callable[[Queue], None]) -> None:
        self._broker, self._connect = broker, connect

    def methods(self) -> dict[str, Method]:
        config, empty = types.Subscription.pb(), empty_pb2.Empty
        return {
            "CreateSubscription": Method(self.create, config, config),
            "GetSubscription": Method(self.get, types.GetSubscriptionRequest.pb(), config),
            "UpdateSubscription": Method(self.update, types.UpdateSubscriptionRequest.pb(), config),
            "ListSubscriptions": Method(
                self.list, types.ListSubscriptionsRequest.pb(), types.ListSubscriptionsResponse.pb()
            ),
            "DeleteSubscription": Method(self.delete, types.DeleteSubscriptionRequest.pb(), empty),
            "ModifyPushConfig": Method(self.modify_push_config, types.ModifyPushConfigRequest.pb(), empty),
        }

    def create(self, config: Any, _context: grpc.ServicerContext | None = None) -> Any:
        check_name(config.name, "subscriptions")
        check_name(config.topic, "topics")
        complete(config)
        with self._broker.lock:
            if config.name in self._broker.queues:
                raise already_exists(config.name)
            self._broker.topic(config.topic)
            self._check_letters(config)
            self._connect(self._broker.add_queue(config))
        return config

    def ensure(self, config: Any) -> None:
        """Create a subscription, or bring the existing one's changeable settings to those given."""
        with self._broker.lock:
            queue = self._broker.queues.get(config.name)
            if queue is None:
                self.create(config)
                return
            wanted = updated(queue.config, config, sorted(MUTABLE), MUTABLE)
            self._complete(wanted)
            if wanted != queue.config:
                self._replace(wanted)

    def get(self, request: Any, _context: grpc.ServicerContext) -> Any:
        return self._broker.queue(check_name(request.subscription, "subscriptions")).config

    def update(self, request: Any, _context: grpc.ServicerContext) -> Any:
        with self._broker.lock:
            current = self._broker.queue(check_name(request.subscription.name, "subscriptions")).config
            config = updated(current, request.subscription, list(request.update_mask.paths), MUTABLE)
            return self._replace(config)

    def list(self, request: Any, _context: grpc.ServicerContext) -> Any:
        prefix = f"{check_project(request.project)}/subscriptions/"
        names = [name for name in list(self._broker.queues) if name.startswith(prefix)]
        found, token = page(names, request.page_size, request.page_token)
        configs = [self._broker.queues[name].config for name in found if name in self._broker.queues]
        return types.ListSubscriptionsResponse.pb()(subscriptions=configs, next_page_token=token)

    def delete(self, request: Any, _context: grpc.ServicerContext) -> Any:
        self._broker.drop_queue(check_name(request.subscription, "subscriptions"))
        return empty_pb2.Empty()

    def modify_push_config(self, request: Any, _context: grpc.ServicerContext) -> Any:
        with self._broker.lock:
            current = self._broker.queue(check_name(request.subscription, "subscriptions")).config
            config = type(current).FromString(current.SerializeToString())
            config.push_config.CopyFrom(request.push_config)
            self._replace(config)
        return empty_pb2.Empty()

    def _replace(self, config: Any) -> Any:
        self._complete(config)
        self._broker.put_queue_config(config)
        self._connect(self._broker.queue(config.name))
        return config

    def _complete(self, config: Any) -> None:
        complete(config)
        self._check_letters(config)

    def _check_letters(self, config: Any) -> None:
        letters = config.dead_letter_policy.dead_letter_topic
        if config.HasField("dead_letter_policy"):
            self._broker.topic(check_name(letters, "topics"))
