"""The providers against servers that answer as theirs do, or as they should not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from shared.contracts.operations import Usage
from shared.gateway.redirects import Redirects
from shared.gateway.search.brave import Brave
from shared.gateway.search.gemini import Grounded, gemini_route, vertex_route
from shared.gateway.search.port import SearchFailed, SearchProvider, SearchUnset
from shared.gateway.search.searxng import SearxNg
from shared.gateway.search.unset import Unset
from shared.gateway.transport import Cut, build_client
from tests.unit.gateway.servers import Talk, answering, raw_server

NOW = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)


def now() -> datetime:
    return NOW


def as_json(value: Any, status: str = "200 OK") -> Talk:
    return answering(status, json.dumps(value).encode(), "Content-Type: application/json\r\n")


def asked_of(request: bytes) -> tuple[str, dict[str, list[str]], str, Any]:
    """Path, query, head in lower case and JSON body of a request."""
    head, _, body = request.partition(b"\r\n\r\n")
    url = urlsplit(head.split(b" ")[1].decode())
    return url.path, parse_qs(url.query), head.decode().lower(), json.loads(body) if body else None


def all_of(base: str) -> list[SearchProvider]:
    client = build_client()
    route = gemini_route("key", "m", base)
    return [
        SearxNg(client, base),
        Brave(client, "key", now, base),
        Grounded(client, route, Redirects(client, []), now),
    ]


def test_searxng() -> None:
    rows = [
        {"title": "A  page", "url": "https://a.example/x", "content": "What it says.", "publishedDate": "2026-11-01"},
        {"title": "No address", "url": "javascript:alert(1)"},
        {"title": None, "url": "https://b.example/", "content": None},
        "nonsense",
    ]
    with raw_server(as_json({"results": rows})) as (base, requests):
        found = SearxNg(build_client(), base + "/").search("tea & cake", 20, Cut())
    path, query, _, _ = asked_of(requests[0])
    assert path == "/search" and query["q"] == ["tea & cake"] and query["format"] == ["json"]
    assert query["time_range"] == ["month"]
    assert [(hit.title, hit.url, hit.passage, hit.published) for hit in found.hits] == [
        ("A page", "https://a.example/x", "What it says.", "2026-11-01"),
        ("https://b.example/", "https://b.example/", "", ""),
    ]


@pytest.mark.parametrize(("days", "name"), [(1, "day"), (31, "month"), (90, "year"), (1_000, None), (None, None)])
def test_searxng_takes_the_next_longer_range(days: int | None, name: str | None) -> None:
    with raw_server(as_json({"results": []})) as (base, requests):
        SearxNg(build_client(), base).search("tea", days, Cut())
    assert asked_of(requests[0])[1].get("time_range") == ([name] if name else None)


def test_brave() -> None:
    row = {"title": "<strong>Tea</strong> &amp; cake", "url": "https://a.example/", "description": "3 < 4 <b>cups</b>"}
    with raw_server(as_json({"web": {"results": [row, {"url": 7}]}})) as (base, requests):
        found = Brave(build_client(), "key\n", now, base).search("tea " * 100, 7, Cut())
    path, query, head, _ = asked_of(requests[0])
    assert path == "/res/v1/web/search" and "x-subscription-token: key" in head.split("\r\n")
    assert query["freshness"] == ["2026-11-23to2026-11-30"] and len(query["q"][0].split()) == 50
    assert [(hit.title, hit.passage) for hit in found.hits] == [("Tea & cake", "3 < 4 cups")]


def grounded(uri: str) -> Mapping[str, Any]:
    supports = [
        {"segment": {"text": "Tea costs 3."}, "groundingChunkIndices": [0]},
        {"segment": {"text": "It is hot."}, "groundingChunkIndices": [0, 1]},
        {"segment": {}, "groundingChunkIndices": [9, "x"]},
    ]
    chunks = [
        {"web": {"uri": uri, "title": "a.example"}},
        {"web": {"uri": "https://b.example/tea", "title": "B"}},
        {"retrievedContext": {"uri": "gs://x"}},
    ]
    text = [{"text": "thinking", "thought": True}, {"text": "Tea costs 3. It is hot."}]
    grounding = {"groundingChunks": chunks, "groundingSupports": supports, "webSearchQueries": ["tea"]}
    used = {"promptTokenCount": 12, "candidatesTokenCount": 8, "toolUsePromptTokenCount": 30}
    return {"candidates": [{"content": {"parts": text}, "groundingMetadata": grounding}], "usageMetadata": used}


def test_google_gives_sources_where_their_links_lead_with_what_they_bear_out() -> None:
    with raw_server(answering("302 F", headers="Location: https://a.example/tea\r\n")) as (links, _):
        uri = f"{links}/grounding-api-redirect/t1"
        with raw_server(as_json(grounded(uri))) as (base, requests):
            client = build_client()
            redirects = Redirects(client, [urlsplit(links).netloc])
            found = Grounded(client, gemini_route("key\n", "m", base), redirects, now).search("tea", 2, Cut())
    path, _, head, body = asked_of(requests[0])
    assert path == "/v1beta/models/m:generateContent" and "x-goog-api-key: key\r\n" in head
    span = {"startTime": "2026-11-28T12:00:00Z", "endTime": "2026-11-30T12:00:00Z"}
    assert body["tools"] == [{"googleSearch": {"timeRangeFilter": span}}]
    assert body["contents"] == [{"role": "user", "parts": [{"text": "tea"}]}]
    assert [(hit.url, hit.passage) for hit in found.hits] == [
        ("https://a.example/tea", "Tea costs 3. It is hot."),
        ("https://b.example/tea", "It is hot."),
    ]
    assert found.summary == "Tea costs 3. It is hot."
    assert found.usage == Usage(input_tokens=12, output_tokens=8, tool_use_tokens=30, searches=1)


def test_google_on_vertex_is_asked_for_the_days_in_words() -> None:
    with raw_server(as_json({"candidates": []})) as (base, requests):
        client = build_client()
        route = vertex_route("p", "europe-west1", "m", lambda: "token", base)
        found = Grounded(client, route, Redirects(client, []), now).search("tea", 2, Cut())
    path, _, head, body = asked_of(requests[0])
    assert path == "/v1/projects/p/locations/europe-west1/publishers/google/models/m:generateContent"
    assert "authorization: bearer token\r\n" in head and body["tools"] == [{"googleSearch": {}}]
    assert "last 2 days" in body["contents"][0]["parts"][0]["text"]
    assert found.hits == [] and found.summary == ""


def test_vertex_in_a_region_has_an_address_of_its_own() -> None:
    assert vertex_route("p", "global", "m", str).url.startswith("https://aiplatform.googleapis.com/v1/projects/p/")
    assert vertex_route("p", "us-east1", "m", str).url.startswith("https://us-east1-aiplatform.googleapis.com/")


def test_a_source_whose_link_leads_nowhere_is_left_out() -> None:
    client = build_client()
    with raw_server(answering("404 X")) as (links, _):
        redirects = Redirects(client, [urlsplit(links).netloc])
        talk = as_json(grounded(f"{links}/grounding-api-redirect/t1"))
        with raw_server(talk) as (base, _):
            found = Grounded(client, gemini_route("k", "m", base), redirects, now).search("tea", None, Cut())
    assert [hit.url for hit in found.hits] == ["https://b.example/tea"]


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize(
    "answer",
    [{}, {"results": 7, "web": 7, "candidates": 7}, {"results": [[]], "web": {"results": [None]}, "candidates": [7]}],
)
def test_an_answer_without_results_has_no_hits(number: int, answer: Any) -> None:
    with raw_server(as_json(answer)) as (base, _):
        assert list(all_of(base)[number].search("tea", None, Cut()).hits) == []


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize(
    "talk", [answering("200 OK", b"<html>"), as_json([]), as_json({}, "429 X"), as_json({}, "500 X")]
)
def test_an_answer_that_is_none_is_a_failed_search(number: int, talk: Talk) -> None:
    with raw_server(talk) as (base, requests):
        with pytest.raises(SearchFailed):
            all_of(base)[number].search("tea", None, Cut())
        assert len(requests) == 1


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("status", ["401 X", "403 X"])
def test_a_key_that_is_not_taken_is_told_apart(number: int, status: str) -> None:
    with raw_server(as_json({}, status)) as (base, _), pytest.raises(SearchUnset):
        all_of(base)[number].search("tea", None, Cut())


def test_where_nobody_searches_it_is_said_what_to_set() -> None:
    with pytest.raises(SearchUnset, match="SEARCH_PROVIDER"):
        Unset().search("tea", None, Cut())
