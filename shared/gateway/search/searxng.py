"""SearXNG: GET {base}/search?format=json, which its settings must allow (docs.searxng.org, Search API)."""

from __future__ import annotations

from urllib.parse import urlencode

import httpx

from shared.gateway.search.asking import asked, hit
from shared.gateway.search.port import HITS, Found
from shared.gateway.transport import Cut, Request

_RANGES = ((1, "day"), (31, "month"), (366, "year"))


class SearxNg:
    """`base_url` is whose who runs Memex: it may be on our own network."""

    def __init__(self, client: httpx.Client, base_url: str) -> None:
        self._client, self._base = client, base_url.rstrip("/")

    def search(self, query: str, recency_days: int | None, cut: Cut) -> Found:
        """See the port. Its ranges are a day, a month and a year: the next longer one is taken."""
        given = {"q": query, "format": "json", "safesearch": "1"}
        if recency_days is not None and (name := next((n for most, n in _RANGES if recency_days <= most), "")):
            given["time_range"] = name
        request = Request("GET", f"{self._base}/search?{urlencode(given)}", {"Accept": "application/json"})
        answer = asked(self._client, request, "SearXNG", cut)
        results = answer.get("results")
        rows = [row for row in results if isinstance(row, dict)] if isinstance(results, list) else []
        made = (hit(row.get("title"), row.get("url"), row.get("content"), row.get("publishedDate")) for row in rows)
        return Found("searxng", [each for each in made if each is not None][:HITS])
