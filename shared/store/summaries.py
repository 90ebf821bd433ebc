"""workspaces/{workspace}/documents/{document}/summaries: of its pieces, of those summaries, and so on up to one."""

from __future__ import annotations

from shared.contracts.memory import TreeSummary
from shared.store import paths
from shared.store.database import Database, Query
from shared.store.documents import well_formed
from shared.store.writes import Write, delete, put


class Summaries:
    def __init__(self, database: Database) -> None:
        self._database = database

    def level(self, document_id: str, level: int, first: int, limit: int) -> list[TreeSummary]:
        """Those of a level from the number `first` on, in order."""
        filters = (("level", "==", level), ("n", ">=", first))
        query = Query(limit, filters, (("n", "ASCENDING"),))
        return list(well_formed(TreeSummary, self._database.query(_below(document_id), query)))

    def whole(self, document_id: str) -> TreeSummary | None:
        """The summary of the whole: the only one of its level; None until the tree is made."""
        query = Query(1, orders=(("level", "DESCENDING"), ("n", "DESCENDING")))
        last = next(well_formed(TreeSummary, self._database.query(_below(document_id), query)), None)
        return last if last is not None and last.n == 0 else None

    def remove_some(self, document_id: str, limit: int) -> int:
        """Take away up to `limit` of a document's summaries: how many."""
        found = self._database.query(_below(document_id), Query(limit, fields=("n",)))
        if found:
            self._database.commit([delete(one.path) for one in found], "summaries.remove")
        return len(found)


def writing(summary: TreeSummary) -> Write:
    """The same place again is the same document."""
    return put(paths.tree_summary(summary.document_id, summary.level, summary.n), summary.model_dump())


def _below(document_id: str) -> str:
    return f"{paths.document(document_id)}/summaries"
