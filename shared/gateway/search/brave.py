"""Brave's web search: GET /res/v1/web/search with a subscription token (api-dashboard.search.brave.com)."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from html import unescape
from typing import Any
from urllib.parse import urlencode

import httpx

from shared.gateway.search.asking import asked, hit
from shared.gateway.search.port import HITS, Found
from shared.gateway.transport import Cut, Request

_BASE = "https://api.search.brave.com"
_QUERY_CHARACTERS, _QUERY_WORDS = 400, 50
_TAG = re.compile(r"</?[a-z][^<>]{0,100}>", re.IGNORECASE)


class Brave:
    """`now` is for the days that are asked for."""

    def __init__(self, client: httpx.Client, key: str, now: Callable[[], datetime], base_url: str = "") -> None:
        self._client, self._key, self._now = client, key.strip(), now
        self._base = (base_url or _BASE).rstrip("/")

    def search(self, query: str, recency_days: int | None, cut: Cut) -> Found:
        """See the port."""
        shorter = " ".join(query.split()[:_QUERY_WORDS])[:_QUERY_CHARACTERS]
        given = {"q": shorter, "count": str(HITS), "text_decorations": "false"}
        if recency_days is not None:
            today = self._now().date()
            given["freshness"] = f"{today - timedelta(days=recency_days)}to{today}"
        headers = {"Accept": "application/json", "X-Subscription-Token": self._key}
        request = Request("GET", f"{self._base}/res/v1/web/search?{urlencode(given)}", headers)
        answer = asked(self._client, request, "Brave", cut)
        web = answer.get("web")
        results = web.get("results") if isinstance(web, dict) else None
        rows = [row for row in results if isinstance(row, dict)] if isinstance(results, list) else []
        made = (
            hit(_plain(row.get("title")), row.get("url"), _plain(row.get("description")), row.get("page_age"))
            for row in rows
        )
        return Found("brave", [each for each in made if each is not None][:HITS])


def _plain(value: Any) -> Any:
    """Without the markup that marks the words of the query."""
    return unescape(_TAG.sub("", value)) if isinstance(value, str) else ""
