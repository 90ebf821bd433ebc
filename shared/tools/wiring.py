"""The services of one workspace, each built when a tool first needs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from shared.contracts.note_index import SearchAnswer
from shared.contracts.operations import Usage
from shared.contracts.recall import RecallAnswer
from shared.contracts.routines import RoutineKind
from shared.gateway.search.port import Found
from shared.gateway.transport import Cut
from shared.gateway.web.reading import Page
from shared.store.effects import Effect

if TYPE_CHECKING:
    from shared.documents.desk import Desk
    from shared.research.service import Research
    from shared.search.service import Search
    from shared.tools.web import Web


@dataclass(frozen=True)
class Above:
    """What lies above the tools, which it uses, and is handed in."""

    start_run: Callable[[str, str, str, Effect], Mapping[str, Any]]
    """(workspace, goal, actor, effect) to {run_id, status}."""
    make_digest: Callable[[str, RoutineKind, date | None, Effect, Cut, Callable[[Usage], None]], Mapping[str, Any]]
    """(workspace, kind, day, effect, cut, spend) to {note_id, title} or {message}."""
    recall: Callable[[str, str, int, datetime | None, Cut], RecallAnswer]
    """(workspace, query, limit, as_of, cut), judged."""


class WorkspaceServices:
    """`shared.tools.services.Services` over what the process has."""

    def __init__(
        self,
        workspace: str,
        search: Callable[[], Search],
        research: Callable[[], Research],
        web: Callable[[], Web],
        above: Above,
        desk: Callable[[], Desk],
    ) -> None:
        self._workspace, self._search, self._research, self._web = workspace, search, research, web
        self._above, self._desk = above, desk

    @property
    def desk(self) -> Desk:
        return self._desk()

    def search(self, query: str, *, limit: int, **filters: Any) -> SearchAnswer:
        return self._search().search(query, limit=limit, **filters)

    def recall(self, query: str, *, limit: int, as_of: datetime | None, cut: Cut) -> RecallAnswer:
        return self._above.recall(self._workspace, query, limit, as_of, cut)

    def start_research(self, note_id: str, effect: Effect, *, plan: bool | None = None) -> str:
        return self._research().ask(self._workspace, note_id, effect, plan=plan)

    def start_run(self, goal: str, actor: str, effect: Effect) -> Mapping[str, Any]:
        return self._above.start_run(self._workspace, goal, actor, effect)

    def make_digest(
        self, kind: RoutineKind, day: date | None, effect: Effect, cut: Cut, spend: Callable[[Usage], None]
    ) -> Mapping[str, Any]:
        return self._above.make_digest(self._workspace, kind, day, effect, cut, spend)

    def read_page(self, url: str, cut: Cut) -> Page:
        return self._web().read(url, cut)

    def search_web(self, query: str, recency_days: int | None, cut: Cut) -> Found:
        return self._web().search(query, recency_days, cut)
