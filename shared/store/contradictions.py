"""workspaces/{workspace}/contradictions: pairs of records of which one at most is true. The committer alone writes."""

from __future__ import annotations

from datetime import datetime

from shared.contracts.memory import Contradiction, ContradictionStatus
from shared.errors import NotFound
from shared.ids import derived
from shared.store import paths
from shared.store.database import Database, Filter, Query
from shared.store.documents import parsed, well_formed
from shared.store.pages import cursor_of, newest_first
from shared.store.writes import Write, delete, put

_OF_A_RECORD = 50


class Contradictions:
    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, contradiction_id: str) -> Contradiction | None:
        """Raises Malformed."""
        found = self._database.get(paths.contradiction(contradiction_id))
        return None if found.fields is None else parsed(Contradiction, found.fields, found.path)

    def get(self, contradiction_id: str) -> Contradiction:
        """Raises NotFound, Malformed."""
        contradiction = self.find(contradiction_id)
        if contradiction is None:
            raise NotFound(f"There is no contradiction {contradiction_id}.")
        return contradiction

    def of_record(self, record_id: str) -> list[Contradiction]:
        """Those that a record is part of, open and settled."""
        query = Query(_OF_A_RECORD, (("record_ids", "array_contains", record_id),))
        return list(well_formed(Contradiction, self._database.query("contradictions", query)))

    def list(
        self, *, limit: int, status: ContradictionStatus | None = None, cursor: str | None = None
    ) -> tuple[tuple[Contradiction, ...], str | None]:
        """A page, newest first, and the cursor of the next. Raises InputError for a bad cursor."""
        filters: tuple[Filter, ...] = (("status", "==", status.value),) if status is not None else ()
        found = self._database.query("contradictions", newest_first(filters, limit + 1, cursor))
        page = found[:limit]
        more = len(found) > limit
        shown = tuple(well_formed(Contradiction, page))
        return shown, cursor_of(page[-1].fields or {}, page[-1].id) if more else None


def opened(first: str, second: str, reason: str, now: datetime) -> Contradiction:
    """A new one between two records; its id derives from theirs, whichever was first."""
    return Contradiction(
        id=derived("contradiction", *sorted((first, second))), record_ids=(first, second), reason=reason, created_at=now
    )


def settled(contradiction: Contradiction, kept: str | None, now: datetime) -> Contradiction:
    """With the record that was chosen, or None where both stay."""
    change = {"status": ContradictionStatus.SETTLED, "kept": kept, "settled_at": now}
    return contradiction.model_copy(update=change)


def reopened(contradiction: Contradiction) -> Contradiction:
    """As it was before anybody chose."""
    return contradiction.model_copy(update={"status": ContradictionStatus.OPEN, "kept": None, "settled_at": None})


def writing(contradiction: Contradiction) -> Write:
    """The whole document."""
    return put(paths.contradiction(contradiction.id), contradiction.model_dump())


def removing(contradiction_id: str) -> Write:
    return delete(paths.contradiction(contradiction_id))
