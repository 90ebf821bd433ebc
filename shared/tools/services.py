"""What tools use besides the store: each is built by bootstrap when a tool first needs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any, Protocol

from shared.contracts.note_index import SearchAnswer
from shared.contracts.operations import Usage
from shared.contracts.recall import RecallAnswer
from shared.contracts.routines import RoutineKind
from shared.documents.desk import Desk
from shared.gateway.search.port import Found
from shared.gateway.transport import Cut
from shared.gateway.web.reading import Page
from shared.store.effects import Effect


class Services(Protocol):
    """The capabilities behind the tools, for one workspace."""

    @property
    def desk(self) -> Desk:
        """What can be done with documents."""
        ...

    def search(self, query: str, *, limit: int, **filters: Any) -> SearchAnswer:
        """Ranked notes; filters are kind, tag, after, before. Raises InputError for a query that is none."""
        ...

    def recall(self, query: str, *, limit: int, as_of: datetime | None, cut: Cut) -> RecallAnswer:
        """What is remembered that bears on the query, judged by a model where there is one. Raises InputError."""
        ...

    def start_research(self, note_id: str, effect: Effect, *, plan: bool | None = None) -> str:
        """The id of the operation that researches the note, once for the effect; `plan`: its plan is shown first.

        Raises NotFound, InputError, Transient.
        """
        ...

    def make_digest(
        self, kind: RoutineKind, day: date | None, effect: Effect, cut: Cut, spend: Callable[[Usage], None]
    ) -> Mapping[str, Any]:
        """Write the note of a day or a week at once, once for the effect: {note_id, title} or {message}.

        `spend` is told what it used.

        Raises InputError for a day to come, Conflict while another is at it, Transient.
        """
        ...

    def start_run(self, goal: str, actor: str, effect: Effect) -> Mapping[str, Any]:
        """Begin an agent run on the word of `actor`, once for the effect; {run_id, status}.

        Raises Forbidden, PaymentRequired, BudgetExceeded, SettingsError, Transient.
        """
        ...

    def read_page(self, url: str, cut: Cut) -> Page:
        """The readable text of a page of the public web. Raises as shared.gateway.web.reading.Reader.read."""
        ...

    def search_web(self, query: str, recency_days: int | None, cut: Cut) -> Found:
        """Pages about the query. Raises as shared.gateway.search.port.SearchProvider.search."""
        ...
