"""Searches of the emulated Gemini: what it answers to googleSearch, and from which pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from google.genai import types

from infra.local.aiplatform.model_script import ModelScript, say
from infra.local.web.corpus import found, pages
from infra.local.web.service import application
from tests.unit.local.aiplatform.platform_server import Platform, serving

WEB = "http://127.0.0.1:7"
SELLERS = {"/tavrolo/prices", "/plankett/prices", "/merigrid/prices", "/ostowerk/prices", "/fenjolt/prices"}


def searched(platform: Platform, query: str, web: str = WEB, **more: Any) -> dict[str, Any]:
    platform.part.grounding.web = web
    body = {"contents": [{"role": "user", "parts": [{"text": query}]}], "tools": [{"googleSearch": {}}], **more}
    answer = platform.http.post("/v1beta/models/m:generateContent", json=body)
    answer.raise_for_status()
    return dict(answer.json()["candidates"][0])


def test_each_sentence_of_the_answer_is_borne_out_by_a_page(tmp_path: Path) -> None:
    with serving(tmp_path) as platform:
        candidate = searched(platform, "what do our five strongest competitors charge")
        grounding = candidate["groundingMetadata"]
        links = [chunk["web"]["uri"] for chunk in grounding["groundingChunks"]]
        places = [platform.http.get(link).headers["location"].removeprefix(WEB) for link in links]
    assert set(places) == SELLERS | {"/market/overview"} and places[0] == "/market/overview"
    assert all("/grounding-api-redirect/" in link for link in links)
    text = candidate["content"]["parts"][0]["text"]
    by_path = {page.path: page.text for page in pages()}
    for support in grounding["groundingSupports"]:
        segment = support["segment"]
        part = text.encode()[segment.get("startIndex", 0) : segment["endIndex"]].decode()
        assert part == segment["text"]
        assert all(part in by_path[places[index]] for index in support["groundingChunkIndices"])
    assert "Emulated search" in text and grounding["webSearchQueries"] == [
        "what do our five strongest competitors charge"
    ]


@pytest.mark.parametrize(("query", "web"), [("quantum gravity", WEB), ("what does Tavrolo charge", "")])
def test_nothing_found_is_said(tmp_path: Path, query: str, web: str) -> None:
    with serving(tmp_path) as platform:
        candidate = searched(platform, query, web)
    assert "no page" in candidate["content"]["parts"][0]["text"]
    assert "groundingChunks" not in candidate["groundingMetadata"]


def test_the_client_of_google_reads_it_on_both_backends(tmp_path: Path) -> None:
    config = types.GenerateContentConfig(tools=[types.Tool(google_search=types.GoogleSearch())])
    with serving(tmp_path) as platform:
        platform.part.grounding.web = WEB
        for client in (platform.client(), platform.vertex_client()):
            answer = client.models.generate_content(model="m", contents="what does Tavrolo charge", config=config)
            metadata = answer.candidates[0].grounding_metadata
            assert "Tavrolo: prices" in [chunk.web.title for chunk in metadata.grounding_chunks]
            assert "19 EUR" in answer.text
            stream = client.models.generate_content_stream(model="m", contents="rye dough", config=config)
            assert list(stream)[-1].candidates[0].grounding_metadata.grounding_supports


def test_a_search_takes_its_own_scripts_and_those_of_chats_stay(tmp_path: Path) -> None:
    with serving(tmp_path) as platform:
        platform.part.script_model(ModelScript(items=(say("for the chat"),)))
        platform.part.script_model(ModelScript(items=(say("for the search"),), asks="search"))
        assert searched(platform, "rye")["content"]["parts"][0]["text"] == "for the search"
        assert "Emulated search" in searched(platform, "rye")["content"]["parts"][0]["text"]
        assert len(platform.part.unused_scripts()) == 1
        assert platform.meter.totals()[("aiplatform", "grounding_searches")] == 1


def test_every_page_says_that_it_is_invented_and_leads_to_pages_that_are_there() -> None:
    client = application().test_client()
    for page in pages():
        served = client.get(page.path)
        assert served.status_code == 200 and "invented page" in served.text and page.title and page.text
    for path in SELLERS:
        assert path in next(page.html for page in pages() if page.path == "/market/overview")
    assert client.get("/none/such").status_code == 404
    assert client.get("/").text.count("<li>") == len(pages())


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("five strongest competitors scheduling software", "/market/overview"),
        ("how much is Merigrid", "/merigrid/prices"),
        ("Fenjolt prices 2026", "/fenjolt/prices"),
        ("why does rye ferment faster", "/bakery/rye"),
        ("library opening hours", "/library/hours"),
    ],
)
def test_the_page_that_fits_best_comes_first(query: str, best: str) -> None:
    assert found(query)[0].path == best
