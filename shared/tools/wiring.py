"""The services of one workspace, each built when a tool first needs it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from shared.contracts.note_index import SearchAnswer
from shared.gateway.search.port import Found
from shared.gateway.transport import Cut
from shared.gateway.web.reading import Page
from shared.store.effects import Effect

if TYPE_CHECKING:
    from shared.research.service import Research
    from shared.search.service import Search
    from shared.tools.web import Web


class WorkspaceServices:
    """`shared.tools.services.Services` over what the process has."""

    def __init__(
        self, workspace: str, search: Callable[[], Search], research: Callable[[], Research], web: Callable[[], Web]
    ) -> None:
        self._workspace, self._search, self._research, self._web = workspace, search, research, web

    def search(self, query: str, *, limit: int, **filters: Any) -> SearchAnswer:
        return self._search().search(query, limit=limit, **filters)

    def start_research(self, note_id: str, effect: Effect) -> str:
        return self._research().ask(self._workspace, note_id, effect)

    def read_page(self, url: str, cut: Cut) -> Page:
        return self._web().read(url, cut)

    def search_web(self, query: str, recency_days: int | None, cut: Cut) -> Found:
        return self._web().search(query, recency_days, cut)
