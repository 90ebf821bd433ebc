"""What mending needs to see across workspaces: names and states, never content."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from shared.clock import Clock
from shared.contracts.notes import RESEARCH_TAG
from shared.store.database import Database, Filter, Order, Query
from shared.store.writes import Snapshot

if TYPE_CHECKING:
    from google.cloud.firestore_v1 import Client

PAGE = 100


@dataclass(frozen=True)
class Found:
    """A document that may need mending; look at it through the store of its workspace."""

    workspace: str
    id: str


class SystemStore:
    """Collection-group queries for reconcile, in pages of PAGE, ending after `limit` documents."""

    def __init__(self, client: Client, clock: Clock, randomness: random.Random) -> None:
        self._database = Database(client, "", clock, randomness)

    def stale_operations(self, before: datetime, limit: int = 1000) -> Iterator[Found]:
        """Running operations that nobody has written since `before`, the longest untouched first."""
        filters = (("status", "==", "running"), ("updated_at", "<", before))
        return self._walk("operations", filters, (("updated_at", "ASCENDING"),), limit)

    def half_cancelled_operations(self, limit: int = 1000) -> Iterator[Found]:
        """Operations that were cancelled here and whose outside work is not known to have stopped."""
        return self._walk("operations", (("cancel_pending", "==", True),), (), limit)

    def tagged_notes(self, limit: int = 5000) -> Iterator[Found]:
        """Capture notes that carry the tag `research`."""
        filters = (("tags", "array_contains", RESEARCH_TAG),)
        return self._walk("notes", filters, (), limit, captures_only=True)

    def _walk(
        self,
        collection: str,
        filters: tuple[Filter, ...],
        orders: tuple[Order, ...],
        limit: int,
        captures_only: bool = False,
    ) -> Iterator[Found]:
        every = (*orders, ("__name__", "ASCENDING"))
        names = tuple(name for name, _ in orders)
        after, seen = None, 0
        while seen < limit:
            size = min(PAGE, limit - seen)
            query = Query(size, filters, every, after, fields=("kind", *names))
            found = self._database.query_group(collection, query)
            for one in found:
                if not captures_only or (one.fields or {}).get("kind", "capture") == "capture":
                    yield from _named(one)
            if len(found) < size:
                return
            seen += len(found)
            last = found[-1]
            after = (*((last.fields or {})[name] for name in names), last.path)


def _named(found: Snapshot) -> Iterator[Found]:
    root, workspace, *_, document_id = found.path.split("/")
    if root == "workspaces" and found.path.count("/") == 3:
        yield Found(workspace, document_id)
