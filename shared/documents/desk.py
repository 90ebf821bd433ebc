"""What tools do with the documents of one workspace: look for passages, calculate with tables, draw them."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shared.contracts.documents import DocumentSearchAnswer
from shared.documents.charts import with_rows
from shared.documents.ports import artifact, original, place
from shared.documents.sandbox import Workers
from shared.gateway.transport import Cut
from shared.ids import derived
from shared.store.workspace import WorkspaceStore

if TYPE_CHECKING:
    from shared.gateway.objects import Objects
    from shared.search.documents import DocumentSearch

QUERY_SECONDS = 20.0
DRAW_SECONDS = 30.0
ROWS_ANSWERED = 200
ROWS_DRAWN = 5_000


@dataclass(frozen=True)
class Drawing:
    """Which chart: its specification, and the SELECT that gives its rows (all of the first table without one)."""

    spec: Mapping[str, Any]
    sql: str | None
    key: str
    """The same key is the same picture."""


class Desk:
    """`files` is None where no place for files is set: then there are no documents either."""

    def __init__(
        self,
        store: WorkspaceStore,
        search: Callable[[], DocumentSearch],
        files: Callable[[], Objects] | None,
        workers: Workers,
    ) -> None:
        self._store, self._search, self._files, self._workers = store, search, files, workers

    def search(self, query: str, *, limit: int, document_id: str | None = None) -> DocumentSearchAnswer:
        """See DocumentSearch.search."""
        return self._search().search(query, limit=limit, document_id=document_id)

    def query(self, document_id: str, sql: str, cut: Cut, *, rows: int = ROWS_ANSWERED) -> dict[str, Any]:
        """{columns, rows, more} of one SELECT on the tables of a document.

        Raises NotFound, Refused with what is wrong with it, WorkerDied where it takes too long, TransportError.
        """
        from shared.documents.fetching import fetched

        document = self._store.documents.get(document_id)
        with fetched(self._objects, original(self._store.workspace, document_id)) as (path, _):
            job = {"job": "query", "path": str(path), "type": document.type.value, "sql": sql, "rows": rows}
            answer: dict[str, Any] = self._workers.work(job, seconds=QUERY_SECONDS, cut=cut)
        return answer

    def draw(self, document_id: str, drawing: Drawing, cut: Cut) -> str:
        """Draw a chart of a document's rows, store it as SVG and PNG, and answer its id, the same for the same key.

        Raises as `query`, and Refused for a specification that is none, or that brings or fetches data.
        """
        with_rows(drawing.spec, ())  # so that a bad one is told before anything is read
        found = self.query(document_id, drawing.sql or "SELECT * FROM data", cut, rows=ROWS_DRAWN)
        job = {"job": "draw", "spec": with_rows(drawing.spec, found["rows"])}
        drawn = self._workers.work(job, seconds=DRAW_SECONDS, cut=cut)
        plot_id = derived("plot", self._store.workspace, document_id, drawing.key)
        for ending, kind, data in (
            ("svg", "image/svg+xml", drawn["svg"].encode()),
            ("png", "image/png", base64.b64decode(drawn["png"])),
        ):
            self._objects.put(artifact(self._store.workspace, document_id, f"{plot_id}.{ending}"), data, kind)
        return plot_id

    @property
    def _objects(self) -> Objects:
        return place(self._files)
