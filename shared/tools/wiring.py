"""The services of one workspace, each built when a tool first needs it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from shared.contracts.note_index import SearchAnswer
from shared.store.effects import Effect

if TYPE_CHECKING:
    from shared.research.service import Research
    from shared.search.service import Search


class WorkspaceServices:
    """`shared.tools.services.Services` over what the process has."""

    def __init__(self, workspace: str, search: Callable[[], Search], research: Callable[[], Research]) -> None:
        self._workspace, self._search, self._research = workspace, search, research

    def search(self, query: str, *, limit: int, **filters: Any) -> SearchAnswer:
        return self._search().search(query, limit=limit, **filters)

    def start_research(self, note_id: str, effect: Effect) -> str:
        return self._research().ask(self._workspace, note_id, effect)
