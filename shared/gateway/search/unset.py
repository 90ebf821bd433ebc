"""The provider where none is set: it says so, and what to set."""

from __future__ import annotations

from shared.gateway.search.port import Found, SearchUnset
from shared.gateway.transport import Cut


class Unset:
    def search(self, query: str, recency_days: int | None, cut: Cut) -> Found:
        raise SearchUnset(
            "No search of the web is set up here. Say so; who runs Memex can set SEARCH_PROVIDER to gemini, searxng "
            "(with SEARXNG_URL) or brave (with BRAVE_API_KEY)."
        )
