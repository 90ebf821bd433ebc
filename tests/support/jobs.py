"""Jobs for tools, and services whose calls a test can look at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from shared.contracts.note_index import SearchAnswer
from shared.contracts.operations import Usage
from shared.contracts.recall import RecallAnswer
from shared.contracts.routines import RoutineKind
from shared.documents.desk import Desk
from shared.documents.sandbox import Workers
from shared.gateway.objects import Objects
from shared.gateway.search.port import Found
from shared.gateway.transport import Cut
from shared.gateway.web.reading import Page
from shared.gateway.web.refusals import Unreadable
from shared.memory.recall import Recall
from shared.search.documents import DocumentSearch
from shared.search.service import Search
from shared.store.effects import Effect
from shared.store.workspace import WorkspaceStore
from shared.tools.tool import Job
from tests.support.seams import FakeClock

WORKERS = Workers()


@dataclass
class FakeServices:
    """A search by words, and a research that only notes what it is asked for."""

    store: WorkspaceStore
    researched: list[str] = field(default_factory=list)
    pages: dict[str, Page] = field(default_factory=dict)
    found: Found = Found("invented", ())
    files: Objects | None = None

    @property
    def desk(self) -> Desk:
        files = self.files
        place = None if files is None else lambda: files
        return Desk(self.store, lambda: DocumentSearch(self.store), place, WORKERS)

    def search(self, query: str, *, limit: int, **filters: Any) -> SearchAnswer:
        return Search(self.store).search(query, limit=limit, **filters)

    def recall(self, query: str, *, limit: int, as_of: datetime | None, cut: Cut) -> RecallAnswer:
        return Recall(self.store).recall(query, limit=limit, as_of=as_of)

    def start_research(self, note_id: str, effect: Effect, *, plan: bool | None = None) -> str:
        self.researched.append(note_id)
        return str(effect.settle({"operation_id": f"op-{note_id}"})["operation_id"])

    def make_digest(
        self, kind: RoutineKind, day: date | None, effect: Effect, cut: Cut, spend: Callable[[Usage], None]
    ) -> Mapping[str, Any]:
        return effect.settle({"note_id": f"{kind.value}-{day}", "title": "Digest"})

    def start_run(self, goal: str, actor: str, effect: Effect) -> Mapping[str, Any]:
        return effect.settle({"run_id": f"run-{len(goal)}", "status": "queued"})

    def read_page(self, url: str, cut: Cut) -> Page:
        if url not in self.pages:
            raise Unreadable(f"There is no page {url}.")
        return self.pages[url]

    def search_web(self, query: str, recency_days: int | None, cut: Cut) -> Found:
        return self.found


def job(store: WorkspaceStore, clock: FakeClock, key: str = "k1", **fields: Any) -> Job:
    """A job of the chat session s1."""
    services = fields.pop("services", None) or FakeServices(store)
    actor = fields.pop("actor", "chat_sessions/s1")
    return Job(store, services, clock, actor, key, fields.pop("cut", None) or Cut(), **fields)
