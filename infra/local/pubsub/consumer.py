"""One that takes messages: a pull, a stream or a pusher; and what it has been given but not yet sent."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from datetime import timedelta

from infra.local.rpc import RpcError

UNLIMITED = 2**62


@dataclass(frozen=True)
class Delivery:
    """A lease of one message. `attempt` counts from 1."""

    number: int
    lease: int
    attempt: int

    @property
    def ack_id(self) -> str:
        return f"{self.number:x}-{self.lease:x}"


@dataclass(frozen=True)
class Limits:
    """How much may be with a consumer unacknowledged; `one_per_key` keeps a key's next message back meanwhile."""

    messages: int = UNLIMITED
    bytes: int = UNLIMITED
    one_per_key: bool = False


class Consumer:
    """Filled by its queue under the broker's lock; emptied by the thread that serves the client."""

    def __init__(self, limits: Limits, lease: timedelta, client_id: str = "") -> None:
        self.limits, self.lease, self.client_id = limits, lease, client_id
        self._count = self._bytes = 0
        self._outbox: deque[Delivery] = deque()
        self._changed = threading.Condition()
        self._ended = False
        self._error: RpcError | None = None

    def has_room(self, size: int) -> bool:
        """Whether a message of `size` bytes fits; one always fits when nothing is outstanding."""
        if self._ended or self._count >= self.limits.messages:
            return False
        return self._count == 0 or self._bytes + size <= self.limits.bytes

    def hold(self, size: int) -> None:
        """Count a message against the limits."""
        self._count, self._bytes = self._count + 1, self._bytes + size

    def release(self, size: int) -> None:
        """A message given to this consumer is acknowledged, failed or taken back."""
        self._count, self._bytes = self._count - 1, self._bytes - size

    def give(self, delivery: Delivery) -> None:
        with self._changed:
            self._outbox.append(delivery)
            self._changed.notify_all()

    def end(self, error: RpcError | None = None) -> None:
        """Wake who waits: nothing more will come. The first error is the one that counts."""
        with self._changed:
            if not self._ended:
                self._ended, self._error = True, error
            self._changed.notify_all()

    def wait(self, limit: int, seconds: float | None = None) -> list[Delivery]:
        """Up to `limit` deliveries as soon as there is one; none when ended or after `seconds`. Raises its error."""
        with self._changed:
            self._changed.wait_for(lambda: self._outbox or self._ended, seconds)
            if self._error:
                raise self._error
            if self._ended:
                return []
            return [self._outbox.popleft() for _ in range(min(limit, len(self._outbox)))]

    @property
    def ended(self) -> bool:
        return self._ended

    def unsent(self) -> list[Delivery]:
        """Take back what was given and never sent."""
        with self._changed:
            rest = list(self._outbox)
            self._outbox.clear()
            return rest
