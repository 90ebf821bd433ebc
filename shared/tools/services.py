"""What tools use besides the store: each is built by bootstrap when a tool first needs it."""

from __future__ import annotations

from typing import Any, Protocol

from shared.contracts.note_index import SearchAnswer


class Services(Protocol):
    """The capabilities behind the tools, for one workspace."""

    def search(self, query: str, *, limit: int, **filters: Any) -> SearchAnswer:
        """Ranked notes. Raises InputError for a query that is none."""
        ...

    def start_research(self, note_id: str, effect_key: str) -> str:
        """The id of the operation that researches the note. Raises NotFound, InputError, Transient."""
        ...
