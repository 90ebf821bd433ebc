"""Who claims what is contended, and who waits for whom; every wait is bounded."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from infra.local.clock import Clock
from infra.local.firestore.claims import Claim
from infra.local.firestore.plan import Plan

IDLE = timedelta(seconds=60)
TOTAL = timedelta(seconds=270)
CONTENDED = timedelta(seconds=2)
LINE_WAIT_SECONDS = 5.0
YIELD_SECONDS = 0.05
"""How long a claimant waits for an older one, which may be waiting for it."""
Results = tuple[int, ...]
"""A fingerprint of each result."""


@dataclass
class Transaction:
    """One transaction under way, or ended (kept for a while so that a rollback of it is no error)."""

    id: bytes
    rank: tuple[int, int]
    read_only: bool
    seq: int
    began: datetime
    used: datetime
    names: set[str] = field(default_factory=set)
    queries: list[tuple[Plan, Results]] = field(default_factory=list)
    ended: bool = False
    claim: Claim = Claim()
    reading: threading.Lock = field(default_factory=threading.Lock)
    """Held for each read: what one read saw is remembered before the next one looks at a later state."""


def is_expired(transaction: Transaction, now: datetime) -> bool:
    """Whether it is too long since its last use or its beginning."""
    return now - transaction.used > IDLE or now - transaction.began > TOTAL


class Contention:
    """The claims of transactions under way, and what was contended lately."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._claiming: dict[bytes, Transaction] = {}
        self._contended: dict[str, datetime] = {}
        self._changed = threading.Condition()
        self._closed = False

    def mark(self, keys: Iterable[str]) -> None:
        """Names of documents, or scopes of queries, that a commit was refused for."""
        until = self._clock.now() + CONTENDED
        with self._changed:
            self._contended.update(dict.fromkeys(keys, until))

    def claim(self, transaction: Transaction, names: Iterable[str], plan: Plan | None) -> bool:
        """Claim what is contended of `names` and of what `plan` looks at; says whether anything was claimed.

        Waits, bounded, for others' claims; when that fails the transaction has no claims any more.
        """
        contended = self._contended_keys()
        plans = (plan,) if plan is not None and plan.scope_name in contended else ()
        claim = Claim(contended.intersection(names), plans)
        if not claim:
            return False
        with self._changed:
            if not self._acquire(transaction, claim):
                self._release(transaction)
                return False
            transaction.claim = transaction.claim.joined(claim)
            self._claiming[transaction.id] = transaction
        return True

    def wait_for_turn(self, names: set[str], transaction: Transaction | None) -> None:
        """Before a commit to `names`: let those that claim them finish, bounded; of two claimants the older first."""
        if not self._claiming:
            return

        def goes_first(other: Transaction) -> bool:
            if other is transaction or not other.claim.touches(names):
                return False
            return transaction is None or not transaction.claim or other.rank < transaction.rank

        claims = transaction is not None and transaction.claim
        with self._changed:
            self._wait(goes_first, YIELD_SECONDS if claims else LINE_WAIT_SECONDS)

    def release(self, transaction: Transaction) -> None:
        """Let go of what it claimed. Idempotent."""
        with self._changed:
            self._release(transaction)

    def close(self) -> None:
        """Stop all waiting."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _acquire(self, transaction: Transaction, claim: Claim) -> bool:
        """Wait, bounded, for what others claim; one with claims of its own yields soon to an older one."""

        def bars(other: Transaction) -> bool:
            return other is not transaction and other.claim.overlaps(claim)

        if not transaction.claim:
            return self._wait(bars, LINE_WAIT_SECONDS)

        def settled() -> bool:
            barring = [each for each in self._claimants() if bars(each)]
            return not barring or any(each.rank < transaction.rank for each in barring)

        self._changed.wait_for(settled, LINE_WAIT_SECONDS)
        return self._wait(bars, YIELD_SECONDS)

    def _wait(self, bars: Callable[[Transaction], bool], seconds: float) -> bool:
        """Wait, bounded, until no claiming transaction bars the way, and say whether none does; the lock is held."""
        return self._changed.wait_for(lambda: self._closed or not any(map(bars, self._claimants())), seconds)

    def _release(self, transaction: Transaction) -> None:
        transaction.claim = Claim()
        if self._claiming.pop(transaction.id, None) is not None:
            self._changed.notify_all()

    def _contended_keys(self) -> frozenset[str]:
        if not self._contended:
            return frozenset()
        now = self._clock.now()
        with self._changed:
            self._contended = {key: until for key, until in self._contended.items() if until > now}
            return frozenset(self._contended)

    def _claimants(self) -> list[Transaction]:
        now = self._clock.now()
        for expired in [each for each in self._claiming.values() if is_expired(each, now)]:
            del self._claiming[expired.id]
        return list(self._claiming.values())
