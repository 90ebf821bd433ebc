"""workspaces/{workspace}/operations: read, list, and change together with their event streams."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from shared.contracts.base import Stored
from shared.contracts.events import Event
from shared.contracts.operations import Operation
from shared.errors import NotFound
from shared.store import paths
from shared.store.database import Database, Query
from shared.store.documents import parsed, well_formed
from shared.store.pages import cursor_of, newest_first
from shared.store.streams import Append, Streams
from shared.store.writes import Snapshot


@dataclass(frozen=True)
class OperationChange:
    """An operation after an append, the events that were added, and whether anything was written."""

    operation: Operation
    events: tuple[Event, ...]
    changed: bool


DecideOperation = Callable[[Operation | None, Snapshot], Append | None]


class Operations:
    def __init__(self, database: Database, streams: Streams) -> None:
        self._database, self._streams = database, streams

    def find(self, operation_id: str) -> Operation | None:
        found = self._database.get(paths.operation(operation_id))
        return operation_of(found)

    def get(self, operation_id: str) -> Operation:
        """Raises NotFound, Malformed."""
        operation = self.find(operation_id)
        if operation is None:
            raise NotFound(f"There is no operation {operation_id}.")
        return operation

    def half_cancelled(self, limit: int) -> list[str]:
        """Ids of those that were cancelled here and whose outside work is not known to have stopped."""
        query = Query(limit, (("cancel_pending", "==", True),), fields=("cancel_pending",))
        return [one.id for one in self._database.query("operations", query)]

    def list(
        self,
        *,
        status: str | None = None,
        kind: str | None = None,
        source_note_id: str | None = None,
        limit: int,
        cursor: str | None = None,
    ) -> tuple[tuple[Operation, ...], str | None]:
        """A page, newest first, and the cursor of the next; a malformed document is left out.

        Raises InputError for a cursor that is none.
        """
        wanted = (("status", status), ("kind", kind), ("source_note_id", source_note_id))
        filters = tuple((field, "==", value) for field, value in wanted if value is not None)
        found = self._database.query("operations", newest_first(filters, limit + 1, cursor))
        page = found[:limit]
        operations = tuple(well_formed(Operation, page))
        more = len(found) > limit
        return operations, cursor_of(page[-1].fields or {}, page[-1].id) if more else None

    def append(
        self, operation_id: str, decide: DecideOperation, *, point: str, create: bool = False
    ) -> OperationChange:
        """`Streams.append` on an operation; `decide` gets it as a model, with the snapshot for its times."""
        path = paths.operation(operation_id)
        appended = self._streams.append(
            path, lambda current: decide(operation_of(current), current), point=point, create=create
        )
        operation = parsed(Operation, appended.fields, path)
        return OperationChange(operation, appended.events, appended.changed)


def operation_of(found: Snapshot) -> Operation | None:
    return None if found.fields is None else parsed(Operation, found.fields, found.path)


def stored(model: Stored) -> dict[str, Any]:
    """A model as document fields."""
    return model.model_dump()
