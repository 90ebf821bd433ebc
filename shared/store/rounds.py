"""Walks over more documents than one sweep may look at.

Each goes on where the last one stopped, and from the first again after the last. So a sweep costs the same however
many notes were ever researched, and reaches every one in time: with ids that sort by their birth, a walk that always
began at the first would never come to the newest. The position lies in sweeps/{name}; two sweeps at once may look at
the same documents, and skip none for good.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

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


class Rounds:
    def __init__(self, database: Database) -> None:
        self._database = database

    def documents(self, walk: Walk, limit: int) -> Iterator[Snapshot]:
        """Up to `limit` documents, each once, from where the last walk of that name stopped. Raises Transient."""
        begun = self._position(walk)
        legs = (begun,) if begun is None else (begun, None)
        seen: set[str] = set()
        for leg in legs:
            for found in self._leg(walk, leg, limit - len(seen)):
                if found.path in seen:
                    return
                yield found
                seen.add(found.path)
                if len(seen) % _REMEMBERED_EVERY == 0 or len(seen) == limit:
                    self._remember(walk, found)
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

    def _position(self, walk: Walk) -> tuple[Any, ...] | None:
        found = self._database.get(_path(walk))
        if found.fields is None:
            return None
        try:
            position = parsed(SweepPosition, found.fields, found.path)
        except Malformed:
            return None  # then the walk begins at the first
        if not _is_document(position.path) or (_ordered(walk) and position.updated_at is None):
            return None
        return (position.updated_at, position.path) if _ordered(walk) else (position.path,)

    def _remember(self, walk: Walk, last: Snapshot) -> None:
        updated_at = (last.fields or {})["updated_at"] if _ordered(walk) else None
        position = SweepPosition(path=last.path, updated_at=updated_at)
        self._database.commit([put(_path(walk), position.model_dump())], "sweep.position")


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
