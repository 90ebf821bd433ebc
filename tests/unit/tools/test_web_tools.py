"""fetch_url and web_search: what they take, what they give, and when they are not there."""

from __future__ import annotations

import json
from typing import Any

import pytest

from shared.bootstrap import App
from shared.config import Settings
from shared.contracts.operations import Usage
from shared.errors import Forbidden, SettingsError
from shared.gateway.search.brave import Brave
from shared.gateway.search.gemini import Grounded
from shared.gateway.search.port import Found, Hit, SearchFailed
from shared.gateway.search.searxng import SearxNg
from shared.gateway.search.unset import Unset
from shared.gateway.transport import Cut
from shared.gateway.web.reading import Page
from shared.gateway.web.refusals import AddressRefused
from shared.gateway.web.urls import parse
from shared.store.workspace import WorkspaceStore
from shared.tools.catalogue import acting, proposing
from shared.tools.registry import Outcome
from shared.tools.untrusted import WEB_TOOLS
from shared.tools.web import Web, policy_of, provider_of
from tests.support.jobs import FakeServices, job
from tests.support.seams import FakeClock

URL = "https://a.example/x"


def settings(**fields: Any) -> Settings:
    return Settings(project="p", **fields)


def called(store: WorkspaceStore, clock: FakeClock, name: str, services: FakeServices, **arguments: Any) -> Outcome:
    return acting().call(job(store, clock, services=services), name, arguments)


def test_a_page_is_told_with_its_address_and_can_be_cited(store: WorkspaceStore, clock: FakeClock) -> None:
    services = FakeServices(store)
    services.pages[URL] = Page(
        "https://b.example/real", "Tea", "html", "Tea costs 3.", True, {"https://c.example/": "C"}
    )
    outcome = called(store, clock, "fetch_url", services, url=f" {URL} ")
    assert outcome.ok and outcome.result["url"] == "https://b.example/real"
    assert "Tea costs 3." in outcome.result["text"] and "longer" in outcome.result["cut"]
    assert outcome.result["links"] == [{"url": "https://c.example/", "text": "C"}]
    (source,) = outcome.sources
    assert (source.title, source.url, source.passage) == ("Tea", "https://b.example/real", "Tea costs 3.")
    assert (source.note_id, source.document_id, source.page) == (None, None, None)


@pytest.mark.parametrize("letter", ["x", "ж", "\n", '"'])
def test_a_long_page_keeps_its_marks(store: WorkspaceStore, clock: FakeClock, letter: str) -> None:
    services = FakeServices(store)
    links = {f"https://c.example/{n}{'y' * 200}": "words" for n in range(40)}
    services.pages[URL] = Page(URL, "T", "html", letter * 36_000, False, links)
    outcome = called(store, clock, "fetch_url", services, url=URL)
    assert outcome.ok and len(json.dumps(outcome.result, ensure_ascii=False).encode()) <= 60_000
    assert outcome.sources and "untrusted" in json.dumps(outcome.result)


def test_what_is_found_can_be_cited(store: WorkspaceStore, clock: FakeClock) -> None:
    services = FakeServices(store)
    services.found = Found(
        "invented", [Hit("Tea", URL, "Tea costs 3.", "2026-11-01"), Hit("B", "https://b.example/")], "3."
    )
    outcome = called(store, clock, "web_search", services, query="tea", recency_days=7)
    assert outcome.result["results"] == [
        {"title": "Tea", "url": URL, "passage": "Tea costs 3.", "published": "2026-11-01"},
        {"title": "B", "url": "https://b.example/"},
    ]
    assert outcome.result["summary"] == "3." and "notice" in outcome.result
    assert [(source.title, source.url, source.passage) for source in outcome.sources] == [
        ("Tea", URL, "Tea costs 3."),
        ("B", "https://b.example/", ""),
    ]


def test_what_a_search_uses_is_told(store: WorkspaceStore, clock: FakeClock) -> None:
    services, used = FakeServices(store), list[Usage]()
    services.found = Found("google", [], usage=Usage(searches=3))
    acting().call(job(store, clock, services=services, spend=used.append), "web_search", {"query": "tea"})
    assert used == [Usage(searches=3)]


def test_a_search_that_fails_in_passing_is_not_paid_for_twice(
    store: WorkspaceStore, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    services, sent = FakeServices(store), list[str]()

    def failing(query: str, _recency_days: int | None, _cut: Cut) -> Found:
        sent.append(query)
        raise SearchFailed("Away.")

    monkeypatch.setattr(services, "search_web", failing)
    outcome = called(store, clock, "web_search", services, query="tea")
    assert (outcome.ok, outcome.result["error"]["code"], sent) == (False, "search_failed", ["tea"])


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("web_search", {"query": ""}),
        ("web_search", {"query": "x", "recency_days": 0}),
        ("fetch_url", {"url": ""}),
        ("fetch_url", {"url": URL, "headers": {"Metadata-Flavor": "Google"}}),
        ("fetch_url", {"url": "https://a.example/" + "x" * 5_000}),
    ],
)
def test_malformed_calls(store: WorkspaceStore, clock: FakeClock, name: str, arguments: dict[str, Any]) -> None:
    assert called(store, clock, name, FakeServices(store), **arguments).malformed


def test_a_page_that_is_refused_is_told_with_its_reason(store: WorkspaceStore, clock: FakeClock) -> None:
    services = FakeServices(store)
    services.read_page = Web(settings(), clock, lambda: None).read  # type: ignore[method-assign]
    outcome = called(store, clock, "fetch_url", services, url="http://169.254.169.254/computeMetadata/v1/")
    assert not outcome.ok and outcome.result["error"]["code"] == "address_refused"


def test_switched_off_they_are_in_no_list_and_do_not_work(clock: FakeClock) -> None:
    for registry in (acting(internet=False), proposing(internet=False)):
        names = {spec.name for spec in registry.specs()}
        assert names and not names & WEB_TOOLS
    assert {spec.name for spec in acting().specs()} >= WEB_TOOLS
    web = Web(settings(allow_internet_access=False), clock, lambda: None)
    with pytest.raises(Forbidden):
        web.read(URL, Cut())
    with pytest.raises(Forbidden):
        web.search("x", None, Cut())


@pytest.mark.parametrize("allowed", [True, False])
def test_every_list_of_the_product_goes_by_the_setting(allowed: bool) -> None:
    app = App(settings(allow_internet_access=allowed))
    lists = [app.chat.ports.tools().specs(), app.routines._ports.registry().specs()]
    for specs in lists:
        assert ({spec.name for spec in specs} >= WEB_TOOLS) is allowed


@pytest.mark.parametrize(
    ("fields", "provider"),
    [
        ({}, Unset),
        ({"gemini_api_key": "k"}, Grounded),
        ({"model_backend": "vertex"}, Grounded),
        ({"model_backend": "openai", "gemini_api_key": "k"}, Unset),
        ({"model_preset": "ollama", "search_provider": "gemini", "gemini_api_key": "k"}, Grounded),
        ({"search_provider": "searxng", "searxng_url": "http://127.0.0.1:8888"}, SearxNg),
        ({"search_provider": "brave", "brave_api_key": "k"}, Brave),
        ({"search_provider": "none", "gemini_api_key": "k"}, Unset),
        ({"model_backend": "none", "gemini_api_key": "k"}, Unset),
    ],
)
def test_who_searches_goes_by_the_settings(clock: FakeClock, fields: dict[str, Any], provider: type[Any]) -> None:
    assert isinstance(provider_of(settings(**fields), clock), provider)


@pytest.mark.parametrize(
    ("name", "variable"), [("gemini", "GEMINI_API_KEY"), ("searxng", "SEARXNG_URL"), ("brave", "BRAVE_API_KEY")]
)
def test_a_provider_without_what_it_needs_says_what_to_set(clock: FakeClock, name: str, variable: str) -> None:
    with pytest.raises(SettingsError, match=variable):
        provider_of(settings(search_provider=name), clock)


def test_loopback_is_read_in_the_local_cloud_only_and_there_at_one_port() -> None:
    env = {"GOOGLE_CLOUD_PROJECT": "p", "EMULATED_WEB": "http://127.0.0.1:8765"}
    with pytest.raises(SettingsError, match="EMULATED_WEB"):
        Settings.from_env(env)
    policy = policy_of(Settings.from_env({**env, "FIRESTORE_EMULATOR_HOST": "127.0.0.1:1"}))
    policy.check(parse("http://127.0.0.1:8765/x"))
    for url in ("http://127.0.0.1:8080/", "http://127.0.0.1/", "http://localhost:8765/", "http://a.example:8765/"):
        with pytest.raises(AddressRefused):
            policy.check(parse(url))
            policy.check_ip(parse(url), "127.0.0.1")
    for other in ("http://10.0.0.1:80", "http://localhost:80", "https://127.0.0.1:80", "http://127.0.0.1:80/x"):
        with pytest.raises(SettingsError):
            Settings.from_env({**env, "EMULATED_WEB": other, "FIRESTORE_EMULATOR_HOST": "127.0.0.1:1"})


def test_our_own_functions_are_no_pages() -> None:
    policy = policy_of(
        settings(fetch_ports=frozenset({8443}), cors_origins="https://memex.example, http://other.example")
    )
    policy.check(parse("https://a.example:8443/"))
    for url in ("https://us-central1-p.cloudfunctions.net/chat", "https://Memex.example/", "http://other.example/x"):
        with pytest.raises(AddressRefused, match="itself"):
            policy.check(parse(url))
