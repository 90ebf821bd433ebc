"""What tools do with the documents of one workspace: look for passages, calculate with tables, draw them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from shared.contracts.documents import DocumentSearchAnswer
from shared.store.workspace import WorkspaceStore

if TYPE_CHECKING:
    from shared.gateway.objects import Objects
    from shared.search.documents import DocumentSearch


class Desk:
    """`files` is None where no place for files is set: then there are no documents either."""

    def __init__(
        self, store: WorkspaceStore, search: Callable[[], DocumentSearch], files: Callable[[], Objects] | None
    ) -> None:
        self._store, self._search, self._files = store, search, files

    def search(self, query: str, *, limit: int, document_id: str | None = None) -> DocumentSearchAnswer:
        """See DocumentSearch.search."""
        return self._search().search(query, limit=limit, document_id=document_id)
