"""The services of one workspace, each built when a tool first needs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from shared.contracts.note_index import SearchAnswer
from shared.gateway.search.port import Found
from shared.gateway.transport import Cut
from shared.gateway.web.reading import Page
from shared.store.effects import Effect

if TYPE_CHECKING:
    from shared.documents.desk import Desk
    from shared.research.service import Research
    from shared.search.service import Search
    from shared.tools.web import Web

StartRun = Callable[[str, str, str, Effect], Mapping[str, Any]]
"""(workspace, goal, actor, effect) to {run_id, status}: runs lie above the tools, which they use."""


class WorkspaceServices:
    """`shared.tools.services.Services` over what the process has."""

    def __init__(
        self,
        workspace: str,
        search: Callable[[], Search],
        research: Callable[[], Research],
        web: Callable[[], Web],
        start_run: StartRun,
        desk: Callable[[], Desk],
    ) -> None:
        self._workspace, self._search, self._research, self._web = workspace, search, research, web
        self._start_run, self._desk = start_run, desk

    @property
    def desk(self) -> Desk:
        return self._desk()

    def search(self, query: str, *, limit: int, **filters: Any) -> SearchAnswer:
        return self._search().search(query, limit=limit, **filters)

    def start_research(self, note_id: str, effect: Effect) -> str:
        return self._research().ask(self._workspace, note_id, effect)

    def start_run(self, goal: str, actor: str, effect: Effect) -> Mapping[str, Any]:
        return self._start_run(self._workspace, goal, actor, effect)

    def read_page(self, url: str, cut: Cut) -> Page:
        return self._web().read(url, cut)

    def search_web(self, query: str, recency_days: int | None, cut: Cut) -> Found:
        return self._web().search(query, recency_days, cut)
