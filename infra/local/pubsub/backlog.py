"""Which messages of one subscription are ready, leased or resting, and who may have the next one.

Pure bookkeeping in memory: no disk, no clock, no lock of its own. A message under an ordering key
waits in its key's line: it becomes ready when all before it were sent, and when one fails, all that
were sent after it are sent again, the acknowledged ones too, as production does.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from infra.local.pubsub.consumer import Consumer, Delivery


class State(Enum):
    """Where a message stands."""

    HELD = "behind others of its key"
    READY = "ready"
    LEASED = "leased"
    RESTING = "backing off"
    ACKED = "acknowledged before others of its key"


@dataclass(slots=True, eq=False)
class Item:
    """One message of one subscription; `due` is when its lease or its rest ends."""

    number: int
    key: str
    size: int
    published: datetime
    failures: int = 0
    state: State = State.HELD
    lease: int = 0
    due: datetime | None = None
    owner: Consumer | None = None


@dataclass(slots=True)
class _KeyLine:
    """The messages of one ordering key, oldest first; the first `sent` of them are leased or acknowledged."""

    items: list[Item] = field(default_factory=list)
    sent: int = 0
    holder: Consumer | None = None

    def open_to(self, consumer: Consumer) -> bool:
        return self.sent == 0 or (self.holder is consumer and not consumer.limits.one_per_key)

    @property
    def next(self) -> Item | None:
        return self.items[self.sent] if self.sent < len(self.items) else None


class Backlog:
    """All that a subscription has not got rid of yet."""

    def __init__(self, ordered: bool) -> None:
        self._ordered = ordered
        self._items: dict[int, Item] = {}  # in order of publication
        self._lines: dict[str, _KeyLine] = {}
        self._ready: list[int] = []
        self._due: list[tuple[datetime, int, int]] = []
        self._consumers: list[Consumer] = []

    def __len__(self) -> int:
        return len(self._items)

    def add(self, item: Item) -> None:
        """Append the newest message."""
        self._items[item.number] = item
        if self._is_ordered(item):
            line = self._lines.setdefault(item.key, _KeyLine())
            line.items.append(item)
            if line.next is not item:
                return
        self._make_ready(item)

    def get(self, number: int, lease: int | None = None) -> Item | None:
        """The message, if it is here and, with `lease`, if that is its lease still."""
        item = self._items.get(number)
        if item is None or (lease is not None and (item.lease != lease or item.state is not State.LEASED)):
            return None
        return item

    def oldest(self) -> Item | None:
        return next(iter(self._items.values()), None)

    def all(self) -> Iterable[Item]:
        """Every message, oldest first."""
        return self._items.values()

    def attach(self, consumer: Consumer) -> None:
        """Let a consumer take part; one with the client id of an earlier one takes over what that one holds."""
        for item in self._items.values() if consumer.client_id else ():
            if item.owner and item.owner.client_id == consumer.client_id:
                item.owner = consumer
                consumer.hold(item.size)
        for line in self._lines.values() if consumer.client_id else ():
            if line.holder and line.holder.client_id == consumer.client_id:
                line.holder = consumer
        self._consumers.append(consumer)

    def detach(self, consumer: Consumer) -> None:
        """Give a consumer no more; what it was sent stays leased, what it was not sent is taken back."""
        if consumer in self._consumers:
            self._consumers.remove(consumer)
        for delivery in reversed(consumer.unsent()):
            item = self.get(delivery.number, delivery.lease)
            if item:
                self._send_again(item)
                self._make_ready(item)

    def consumers(self) -> list[Consumer]:
        return list(self._consumers)

    def dispatch(self, now: datetime, lease: int) -> int:
        """Give what is ready to who has room, in turn; leases are numbered from `lease`. Returns the next number."""
        progress = True
        while progress and self._ready:
            progress = False
            for consumer in list(self._consumers):
                item = self._next_for(consumer)
                if item:
                    self._consumers.remove(consumer)
                    self._consumers.append(consumer)  # the next message, now or later, goes to another first
                    self._lease(item, consumer, now, lease)
                    lease, progress = lease + 1, True
        return lease

    def extend(self, item: Item, due: datetime) -> None:
        """Move the end of a lease."""
        item.due = due
        heapq.heappush(self._due, (due, item.number, item.lease))

    def ack(self, item: Item) -> list[int]:
        """Acknowledge; returns the messages that are now done with for good."""
        if not self._is_ordered(item):
            return self.drop(item)
        self._release(item)
        item.state = State.ACKED
        return self._finish_acked(item.key)

    def fail(self, item: Item, ready_at: datetime | None) -> None:
        """A lease ended without acknowledgement: the message is ready again, at once or at `ready_at`."""
        self._send_again(item)
        item.failures += 1
        if ready_at is None:
            self._make_ready(item)
        else:
            item.state = State.RESTING
            self.extend(item, ready_at)

    def wake(self, item: Item) -> None:
        """The rest of a failed message is over."""
        self._make_ready(item)

    def drop(self, item: Item) -> list[int]:
        """Forget a message, whatever its state; returns the messages that are now done with for good."""
        self._remove(item)
        return [item.number, *self._finish_acked(item.key)]

    def _finish_acked(self, key: str) -> list[int]:
        """Forget the acknowledged messages of a key that nothing before them can bring back any more."""
        done: list[int] = []
        while (line := self._lines.get(key)) and line.items[0].state is State.ACKED:
            done.append(line.items[0].number)
            self._remove(line.items[0])
        return done

    def _remove(self, item: Item) -> None:
        self._release(item)
        del self._items[item.number]
        if not self._is_ordered(item):
            return
        line = self._lines[item.key]
        index = line.items.index(item)
        del line.items[index]
        if index < line.sent:
            line.sent -= 1
        elif line.next and line.next.state is State.HELD:
            self._make_ready(line.next)
        if not line.items:
            del self._lines[item.key]

    def due(self, now: datetime) -> list[Item]:
        """The messages whose lease or rest is over at `now`."""
        found = []
        while (first := self.next_due()) is not None and first <= now:
            _, number, _ = heapq.heappop(self._due)
            found.append(self._items[number])
        return found

    def next_due(self) -> datetime | None:
        """When the next lease or rest ends."""
        while self._due:
            due, number, lease = self._due[0]
            item = self._items.get(number)
            if item and item.lease == lease and item.due == due and item.state in (State.LEASED, State.RESTING):
                return due
            heapq.heappop(self._due)
        return None

    def _is_ordered(self, item: Item) -> bool:
        return self._ordered and bool(item.key)

    def _make_ready(self, item: Item) -> None:
        item.state, item.due = State.READY, None
        heapq.heappush(self._ready, item.number)

    def _next_for(self, consumer: Consumer) -> Item | None:
        blocked = []
        try:
            while self._ready:
                item = self._items.get(self._ready[0])
                if item is None or item.state is not State.READY:
                    heapq.heappop(self._ready)
                elif not consumer.has_room(item.size):
                    return None
                elif self._is_ordered(item) and not self._lines[item.key].open_to(consumer):
                    blocked.append(heapq.heappop(self._ready))
                else:
                    heapq.heappop(self._ready)
                    return item
            return None
        finally:
            for number in blocked:
                heapq.heappush(self._ready, number)

    def _lease(self, item: Item, consumer: Consumer, now: datetime, lease: int) -> None:
        item.state, item.lease, item.owner = State.LEASED, lease, consumer
        self.extend(item, now + consumer.lease)
        if self._is_ordered(item):
            line = self._lines[item.key]
            line.sent, line.holder = line.sent + 1, consumer
            if line.next:
                self._make_ready(line.next)
        consumer.hold(item.size)
        consumer.give(Delivery(item.number, lease, item.failures + 1))

    def _release(self, item: Item) -> None:
        if item.owner:
            item.owner.release(item.size)
            item.owner = None

    def _send_again(self, item: Item) -> None:
        """Take a sent message back, and with it all of its key that were sent after it or come next."""
        self._release(item)
        if not self._is_ordered(item):
            return
        line = self._lines[item.key]
        index = line.items.index(item)
        for later in line.items[index : line.sent + 1]:
            self._release(later)
            later.state, later.due = State.HELD, None
        line.sent = min(line.sent, index)
