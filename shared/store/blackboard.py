"""workspaces/{workspace}/blackboard: what agents put forward, and what was decided on it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from shared.contracts.memory import BlackboardItem, ItemKind, ItemStatus
from shared.store import paths
from shared.store.database import Database, Filter, Query
from shared.store.documents import parsed, well_formed
from shared.store.note_reading import END_OF_TIME
from shared.store.pages import cursor_of, parse_cursor
from shared.store.writes import Write, create, put, update

_IN = 30
"""How many values one query takes."""
_FORGOTTEN = "(forgotten)"


class Blackboard:
    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, item_id: str) -> BlackboardItem | None:
        """Raises Malformed."""
        found = self._database.get(paths.blackboard_item(item_id))
        return None if found.fields is None else parsed(BlackboardItem, found.fields, found.path)

    def several(self, item_ids: Sequence[str]) -> dict[str, BlackboardItem]:
        """Those of them that are there, by id."""
        found = self._database.get_all([paths.blackboard_item(one) for one in item_ids]) if item_ids else []
        return {one.id: one for one in well_formed(BlackboardItem, (each for each in found if each.fields is not None))}

    def about(self, item_ids: Sequence[str], limit: int) -> list[BlackboardItem]:
        """What was said of the items, the oldest first; at most `limit` for every thirty of them."""
        said: list[BlackboardItem] = []
        for start in range(0, len(item_ids), _IN):
            asked: Filter = ("about", "in", list(item_ids[start : start + _IN]))
            said += well_formed(BlackboardItem, self._database.query("blackboard", Query(limit, (asked,))))
        return sorted(said, key=lambda one: (one.created_at, one.id))

    def of_source(self, source_key: str, limit: int, kind: ItemKind | None = None) -> list[BlackboardItem]:
        """Items made from a note, a turn or a session, by {kind}:{id}; of one kind, the newest first."""
        filters: tuple[Filter, ...] = (("source_keys", "array_contains", source_key),)
        query = Query(limit, filters)
        if kind is not None:
            query = Query(limit, (*filters, ("kind", "==", kind.value)), (("created_at", "DESCENDING"),))
        return list(well_formed(BlackboardItem, self._database.query("blackboard", query)))

    def list(
        self,
        *,
        limit: int,
        kind: ItemKind | None = None,
        status: ItemStatus | None = None,
        cursor: str | None = None,
    ) -> tuple[tuple[BlackboardItem, ...], str | None]:
        """A page and the cursor of the next: the last decided first, or the newest where none of them is decided.

        Raises InputError for a bad cursor.
        """
        by = "created_at" if status in (None, ItemStatus.PENDING) else "decided_at"
        filters: tuple[Filter, ...] = ((by, "<", END_OF_TIME),)
        filters += (("kind", "==", kind.value),) if kind is not None else ()
        filters += (("status", "==", status.value),) if status is not None else ()
        orders = ((by, "DESCENDING"), ("__name__", "DESCENDING"))
        start = parse_cursor(cursor) if cursor is not None else None
        found = self._database.query("blackboard", Query(limit + 1, filters, orders, start))
        page = found[:limit]
        items = tuple(well_formed(BlackboardItem, page))
        if len(found) <= limit:
            return items, None
        return items, cursor_of({"created_at": (page[-1].fields or {})[by]}, page[-1].id)


def creating(item: BlackboardItem) -> Write:
    """The write of a new item."""
    return create(paths.blackboard_item(item.id), item.model_dump())


def putting(item: BlackboardItem) -> Write:
    """The write of an item whose id derives from what it says: said again, it is the same document."""
    return put(paths.blackboard_item(item.id), item.model_dump())


def deciding(item: BlackboardItem, status: ItemStatus, reason: str, now: datetime, record_id: str | None) -> Write:
    """The write that decides an item; whoever commits it knows that the item is pending."""
    return update(
        paths.blackboard_item(item.id),
        {"status": status.value, "reason": reason, "decided_at": now, "parent_record_id": record_id},
    )


def without_words(items: Iterable[BlackboardItem], source_keys: Collection[str], now: datetime) -> list[Write]:
    """The writes that take away what the items say and quote; that they were there, and what became of them, stays.

    They are not found by the keys any more; one that is pending is rejected with it.
    """
    return [_without_words(one, source_keys, now) for one in items]


def _without_words(item: BlackboardItem, source_keys: Collection[str], now: datetime) -> Write:
    blank = {"text": _FORGOTTEN, "subject": _FORGOTTEN, "object": "", "property": "", "reason": _FORGOTTEN}
    fields: dict[str, Any] = {
        "payload": {name: blank.get(name, value) for name, value in item.payload.items()},
        "evidence_refs": [one.model_copy(update={"quote": "", "title": ""}).model_dump() for one in item.evidence_refs],
        "source_keys": tuple(key for key in item.source_keys if key not in source_keys),
        "reason": _FORGOTTEN if item.reason else "",
    }
    if item.status is ItemStatus.PENDING:
        fields |= {"status": ItemStatus.REJECTED.value, "reason": "Its source was forgotten.", "decided_at": now}
    return update(paths.blackboard_item(item.id), fields)
