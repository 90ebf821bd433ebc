"""leases/brain-drain: which execution drains the queue of the workspace's brain."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from shared.contracts.brain_drain import DrainLease
from shared.store import paths
from shared.store.changing import Change, Changing
from shared.store.documents import parsed
from shared.store.writes import Snapshot

DecideLease = Callable[[DrainLease, datetime], DrainLease | None]
"""The lease as it is, and the server's time; the lease to be, or None to leave it."""


class BrainDrain:
    def __init__(self, changing: Changing) -> None:
        self._changing = changing

    def change(self, decide: DecideLease, *, point: str) -> tuple[DrainLease, bool]:
        """`Changing.change` on the lease, empty where there is none: the lease after it, and whether it was written."""
        path = paths.brain_drain()

        def decided(current: Snapshot) -> Change | None:
            wanted = decide(parsed(DrainLease, current.fields or {}, path), current.read_time)
            return None if wanted is None else Change(wanted.model_dump())

        changed = self._changing.change(path, decided, point=point)
        return parsed(DrainLease, changed.fields or {}, path), changed.changed
