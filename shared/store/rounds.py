"""Walks over more documents than one sweep may look at.

Each goes on where the last one stopped, and from the first again after the last. So a sweep costs the same however
many notes were ever researched, and reaches every one in time: with ids that sort by their birth, a walk that always
began at the first would never come to the newest. The position lies in sweeps/{name}; two sweeps at once may look at
the same documents, and skip none for good.

Each document that is looked at is paid for, whether it needs mending or not. So a walk over all notes rests: what it
looks for, an event that nobody got in a day of deliveries, is rare, and may wait for an hour.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from shared.clock import Clock
from shared.contracts.operations import SweepPosition
from shared.store.database import Database, Query
from shared.store.documents import parsed
from shared.store.errors import Malformed
from shared.store.writes import Snapshot, put

PAGE = 100
_REMEMBERED_EVERY = 25
"""So many documents at most are looked at again after a sweep that broke off."""


@dataclass(frozen=True)
class Walk:
    """What is walked over: a collection group, narrowed and ordered by `query`, which ends with the path."""

    name: str
    collection: str
    query: Query
    rests: bool = False
    """Whether it may wait for `rest` after it was begun."""


class Rounds:
    """`rest`: for so long a walk that rests is not begun again; none by default."""

    def __init__(self, database: Database, clock: Clock, rest: timedelta = timedelta(0)) -> None:
        self._database, self._clock, self._rest = database, clock, rest

    def documents(self, walk: Walk, limit: int) -> Iterator[Snapshot]:
        """Up to `limit` documents, each once, from where the last walk of that name stopped; none while it rests.

        Raises Transient.
        """
        stored, now = self._stored(walk), self._clock.now()
        if walk.rests and self._rest:
            if stored.walked_at is not None and now < stored.walked_at + self._rest:
                return
            stored = stored.model_copy(update={"walked_at": now})
            self._keep(walk, stored)
        yield from self._round(walk, stored, limit)

    def _round(self, walk: Walk, stored: SweepPosition, limit: int) -> Iterator[Snapshot]:
        begun = _begun(walk, stored)
        legs = (begun,) if begun is None else (begun, None)
        seen: set[str] = set()
        for leg in legs:
            for found in self._leg(walk, leg, limit - len(seen)):
                if found.path in seen:
                    return
                yield found
                seen.add(found.path)
                if len(seen) % _REMEMBERED_EVERY == 0 or len(seen) == limit:
                    self._remember(walk, stored, found)
            if len(seen) >= limit:
                return

    def _leg(self, walk: Walk, after: tuple[Any, ...] | None, limit: int) -> Iterator[Snapshot]:
        """From `after` to the last document."""
        left = limit
        while left > 0:
            size = min(PAGE, left)
            found = self._database.query_group(walk.collection, replace(walk.query, limit=size, start_after=after))
            yield from found
            if len(found) < size:
                return
            left -= size
            after = _key(walk, found[-1])

    def _stored(self, walk: Walk) -> SweepPosition:
        found = self._database.get(_path(walk))
        if found.fields is not None:
            with suppress(Malformed):  # then the walk begins at the first
                return parsed(SweepPosition, found.fields, found.path)
        return SweepPosition(path="")

    def _remember(self, walk: Walk, stored: SweepPosition, last: Snapshot) -> None:
        updated_at: datetime | None = (last.fields or {})["updated_at"] if _ordered(walk) else None
        self._keep(walk, SweepPosition(path=last.path, updated_at=updated_at, walked_at=stored.walked_at))

    def _keep(self, walk: Walk, position: SweepPosition) -> None:
        self._database.commit([put(_path(walk), position.model_dump())], "sweep.position")


def _begun(walk: Walk, stored: SweepPosition) -> tuple[Any, ...] | None:
    """Where the walk goes on; None for the first document."""
    if not _is_document(stored.path) or (_ordered(walk) and stored.updated_at is None):
        return None
    return (stored.updated_at, stored.path) if _ordered(walk) else (stored.path,)


def _path(walk: Walk) -> str:
    return f"sweeps/{walk.name}"


def _ordered(walk: Walk) -> bool:
    """Whether the walk is ordered by moment before it is by path."""
    return len(walk.query.orders) > 1


def _key(walk: Walk, found: Snapshot) -> tuple[Any, ...]:
    fields = found.fields or {}
    return tuple(found.path if name == "__name__" else fields[name] for name, _ in walk.query.orders)


def _is_document(path: str) -> bool:
    return path.count("/") % 2 == 1 and all(path.split("/"))
