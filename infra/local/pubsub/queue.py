"""One subscription at work: its backlog, its deadlines, and what a failed delivery leads to."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, timezone
from itertools import islice
from sqlite3 import Connection
from typing import Any

from google.pubsub_v1.types import PubsubMessage

from infra.local.clock import Clock, Task
from infra.local.pubsub.alarm import Alarm
from infra.local.pubsub.backlog import Backlog, Item, State
from infra.local.pubsub.consumer import Consumer
from infra.local.pubsub.filters import compile_filter
from infra.local.pubsub.names import short
from infra.local.pubsub.sizes import billed_size
from infra.local.pubsub.store import Store
from infra.local.rpc import RpcError

Stage = Callable[[Connection, str, list[Any]], Task | None]


@dataclass
class Shared:
    """What all queues of a broker share. `lock` guards every backlog; `stage` publishes inside a transaction.

    `stage(db, topic, messages)` answers what to do after the commit, or None when there is no such topic.
    """

    store: Store
    clock: Clock
    stage: Stage
    lock: threading.RLock = field(default_factory=threading.RLock)
    next_lease: int = field(init=False)

    def __post_init__(self) -> None:
        # Lease numbers go on rising after a restart, so that an old ack id never fits a new lease.
        self.next_lease = int(self.clock.now().timestamp() * 1e6)


class Queue:
    """Takes what is published, leases it to consumers, and settles or repeats it. Thread-safe."""

    def __init__(self, config: Any, shared: Shared) -> None:
        self.config, self._shared = config, shared
        self.matches = compile_filter(config.filter)
        self._backlog = Backlog(config.enable_message_ordering)
        self._alarm = Alarm(shared.clock, self._ring, f"pubsub {config.name}")
        self._closed = False

    @property
    def ack_deadline(self) -> timedelta:
        return timedelta(seconds=self.config.ack_deadline_seconds)

    def __len__(self) -> int:
        return len(self._backlog)

    def load(self) -> None:
        """Take up what was not acknowledged when the process ended; all of it is delivered again."""
        with self._shared.lock:
            for number, failures, message in self._shared.store.pending(self.config.name):
                self._backlog.add(_item(number, message, failures))
            self._go_on()

    def add(self, messages: Iterable[tuple[int, Any]]) -> None:
        """Take messages that are on disk already."""
        with self._shared.lock:
            for number, message in messages:
                self._backlog.add(_item(number, message, 0))
            self._go_on()

    def attach(self, consumer: Consumer) -> None:
        with self._shared.lock:
            self._backlog.attach(consumer)
            self._go_on()

    def detach(self, consumer: Consumer) -> None:
        with self._shared.lock:
            consumer.end()
            self._backlog.detach(consumer)
            self._go_on()

    def resume(self) -> None:
        """A consumer has room again for another reason than an acknowledgement."""
        with self._shared.lock:
            self._go_on()

    def acknowledge(self, acks: Iterable[tuple[int, int]]) -> None:
        """Settle (message, lease) pairs. A late one counts, except for an ordered message that is being repeated."""
        with self._shared.lock:
            if self._closed:
                return
            done: list[int] = []
            for number, lease in acks:
                item = self._backlog.get(number, lease if self.config.enable_message_ordering else None)
                done += self._backlog.ack(item) if item else []
            self._settle(done)
            self._go_on()

    def modify(self, changes: Iterable[tuple[int, int, int]]) -> None:
        """Move lease ends: (message, lease, seconds from now); 0 seconds is a nack. Stale leases are ignored."""
        with self._shared.lock:
            if self._closed:
                return
            now, failed = self._shared.clock.now(), []
            for number, lease, seconds in changes:
                item = self._backlog.get(number, lease)
                if item and seconds == 0:
                    failed.append(item)
                elif item:
                    self._backlog.extend(item, now + timedelta(seconds=seconds))
            self._fail(failed, now)
            self._go_on()

    def purge(self) -> None:
        """Forget every message, the leased ones too; a later acknowledgement of one is ignored."""
        with self._shared.lock:
            done: list[int] = []
            while oldest := self._backlog.oldest():
                done += self._backlog.drop(oldest)
            self._settle(done)
            self._go_on()

    def items(self, limit: int) -> list[Item]:
        """Copies of the oldest that are not acknowledged."""
        with self._shared.lock:
            return [replace(item) for item in islice(self._backlog.all(), limit)]

    def states(self) -> Counter[State]:
        """How many messages stand where."""
        with self._shared.lock:
            return Counter(item.state for item in self._backlog.all())

    def consumers(self) -> int:
        """How many pulls, streams and pushers take from it now."""
        with self._shared.lock:
            return len(self._backlog.consumers())

    def reconfigure(self, config: Any) -> None:
        """Take an updated configuration; what is leased keeps its deadline."""
        with self._shared.lock:
            self.config = config
            self._go_on()

    def end_consumers(self, error: RpcError | None) -> None:
        """End every consumer with an error; streams answer it to their clients."""
        with self._shared.lock:
            for consumer in self._backlog.consumers():
                consumer.end(error)
                self._backlog.detach(consumer)

    def close(self, error: RpcError) -> None:
        """No more deliveries and no more alarms."""
        with self._shared.lock:
            self._closed = True
            self._alarm.set(None)
            self.end_consumers(error)

    def _ring(self) -> None:
        with self._shared.lock:
            self._alarm.rang()
            if self._closed:
                return
            now = self._shared.clock.now()
            self._forget_expired(now)
            due = self._backlog.due(now)
            for item in due:
                if item.state is State.RESTING:
                    self._backlog.wake(item)
            self._fail([item for item in due if item.state is State.LEASED], now)
            self._go_on()

    def _go_on(self) -> None:
        if self._closed:
            return
        shared = self._shared
        shared.next_lease = self._backlog.dispatch(shared.clock.now(), shared.next_lease)
        dues = [due for due in (self._backlog.next_due(), self._next_expiry()) if due]
        self._alarm.set(min(dues, default=None))

    def _next_expiry(self) -> datetime | None:
        oldest = self._backlog.oldest()
        if oldest is None:
            return None
        expiry: datetime = oldest.published + self.config.message_retention_duration.ToTimedelta()
        return expiry

    def _forget_expired(self, now: datetime) -> None:
        done: list[int] = []
        while (expiry := self._next_expiry()) and expiry <= now:
            oldest = self._backlog.oldest()
            if oldest:
                done += self._backlog.drop(oldest)
        self._settle(done)

    def _settle(self, numbers: list[int]) -> None:
        if numbers:
            with self._shared.store.write() as db:
                self._shared.store.settle(db, self.config.name, numbers)

    def _fail(self, items: list[Item], now: datetime) -> None:
        """Repeat, or put into the dead-letter topic, what was not acknowledged in time."""
        # Oldest first: failing an ordered message takes back those after it, which then are no failures of their own.
        for item in sorted(items, key=lambda item: item.number):
            if item.state is State.LEASED and not self._bury(item):
                self._backlog.fail(item, self._rest(item, now))
                self._remember_failure(item)

    def _rest(self, item: Item, now: datetime) -> datetime | None:
        if not self.config.HasField("retry_policy"):
            return None
        policy = self.config.retry_policy
        longest = policy.maximum_backoff.ToTimedelta()
        # 2**20 times any minimum is beyond the longest maximum.
        wait = min(policy.minimum_backoff.ToTimedelta() * 2 ** min(item.failures, 20), longest)
        return now + wait if wait else None

    def _remember_failure(self, item: Item) -> None:
        if self.config.HasField("retry_policy") or self.config.HasField("dead_letter_policy"):
            with self._shared.store.write() as db:
                self._shared.store.count_failure(db, self.config.name, item.number, item.failures)

    def _bury(self, item: Item) -> bool:
        """Move a message that failed too often; False when it may be tried again or the topic is gone."""
        policy = self.config.dead_letter_policy
        if not policy.dead_letter_topic or item.failures + 1 < policy.max_delivery_attempts:
            return False
        message = self._shared.store.message(item.number)
        if message is None:
            return False
        with self._shared.store.write() as db:
            after = self._shared.stage(db, policy.dead_letter_topic, [self._dead_letter(message, item.failures + 1)])
            if after is None:
                return False
            self._shared.store.settle(db, self.config.name, self._backlog.ack(item))
        after()
        return True

    def _dead_letter(self, message: Any, attempts: int) -> Any:
        letter = PubsubMessage.pb()(data=message.data, ordering_key=message.ordering_key)
        letter.attributes.update(message.attributes)
        prefix = "CloudPubSubDeadLetterSource"
        letter.attributes[f"{prefix}DeliveryCount"] = str(attempts)
        letter.attributes[f"{prefix}Subscription"] = short(self.config.name)
        letter.attributes[f"{prefix}SubscriptionProject"] = self.config.name.split("/")[1]
        letter.attributes[f"{prefix}TopicPublishTime"] = message.publish_time.ToJsonString()
        return letter


def _item(number: int, message: Any, failures: int) -> Item:
    published = message.publish_time.ToDatetime(tzinfo=timezone.utc)
    return Item(number, message.ordering_key, billed_size(message), published, failures)
