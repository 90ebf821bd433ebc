"""Documents without a stream: read, decide, commit what was decided if nobody wrote meanwhile; else again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from shared.clock import Clock
from shared.errors import NotFound, Transient
from shared.ids import IdSource
from shared.store.database import Database
from shared.store.errors import Contention, Uncertain
from shared.store.writes import Snapshot, Write, create, update

CHANGE_TRIES = 12
CHANGE_SECONDS = 25.0
"""No further try after this: whoever called is told while it can still answer."""


@dataclass(frozen=True)
class Change:
    """What one commit does: fields of the document to set, other documents to write."""

    fields: Mapping[str, Any]
    also: tuple[Write, ...] = ()


@dataclass(frozen=True)
class Changed:
    """The document afterwards (None where there is none), and whether this call wrote it."""

    fields: Mapping[str, Any] | None
    changed: bool


Decide = Callable[[Snapshot], Change | None]


class Changing:
    """Changes to single documents of one workspace."""

    def __init__(self, database: Database, clock: Clock, ids: IdSource) -> None:
        self._database, self._clock, self._ids = database, clock, ids

    def change(self, path: str, decide: Decide, *, point: str) -> Changed:
        """Commit what `decide` answers to the document's state of this moment; None writes nothing.

        `decide` sees a document that does not exist as one without fields, and what it sets then creates it. It is
        called again whenever another writer was faster; what it raises ends the change. A commit whose answer was lost
        is recognised by the writer's token. Raises Transient when it did not get through.
        """
        token = self._ids.fresh()
        begun = self._clock.now()
        for attempt in range(CHANGE_TRIES):
            if (self._clock.now() - begun).total_seconds() > CHANGE_SECONDS:
                break
            if attempt:
                self._database.pause(min(attempt, 6))
            current = self._database.get(path)
            if attempt and current.fields is not None and current.fields.get("last_writer") == token:
                return Changed(current.fields, changed=True)
            decided = decide(current)
            if decided is None:
                return Changed(current.fields, changed=False)
            fields = dict(decided.fields) | {"last_writer": token}
            try:
                self._database.commit((_write(current, fields), *decided.also), point)
            except (Contention, Uncertain, NotFound):
                continue
            return Changed({**(current.fields or {}), **fields}, changed=True)
        raise Transient(f"{path} could not be written just now: try again.", retry_after_seconds=2.0)


def _write(current: Snapshot, fields: Mapping[str, Any]) -> Write:
    if current.fields is None:
        return create(current.path, fields)
    return update(current.path, fields, current.update_time)
