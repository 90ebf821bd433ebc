"""Access to the web for tools: reading pages and searching, built of the settings when first asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from shared.clock import Clock
from shared.config import Settings
from shared.errors import Forbidden, SettingsError
from shared.gateway.transport import Cut
from shared.tools.fetch_url import CHARACTERS

if TYPE_CHECKING:
    from shared.gateway.search.gemini import Route
    from shared.gateway.search.port import Found, SearchProvider
    from shared.gateway.web.policy import Policy
    from shared.gateway.web.reading import Page, Reader

SEARCH_MODEL = "gemini-3.5-flash-lite"


class Web:
    """One for a process: the processes that take pages apart are counted in it."""

    def __init__(self, settings: Settings, clock: Clock, gate: Callable[[], None]) -> None:
        """`gate` is asked before each search."""
        self._settings, self._clock, self._gate = settings, clock, gate

    def read(self, url: str, cut: Cut) -> Page:
        """The page at the address. Raises Forbidden where the web is switched off, and as Reader.read does."""
        self._check()
        return self._reader.read(url, cut)

    def search(self, query: str, recency_days: int | None, cut: Cut) -> Found:
        """What the provider of the settings finds. Raises Forbidden as `read` does, and as SearchProvider.search."""
        self._check()
        return self._provider.search(query, recency_days, cut)

    def _check(self) -> None:
        if not self._settings.allow_internet_access:
            raise Forbidden("The web is switched off here (ALLOW_INTERNET_ACCESS=off).")

    @cached_property
    def _reader(self) -> Reader:
        from shared.gateway.web.extracting import Extractor
        from shared.gateway.web.fetching import Fetcher, Limits
        from shared.gateway.web.reading import Reader

        limits = Limits(seconds=self._settings.fetch_seconds, bytes=self._settings.fetch_max_bytes)
        return Reader(Fetcher(policy_of(self._settings), limits), Extractor(), CHARACTERS)

    @cached_property
    def _provider(self) -> SearchProvider:
        from shared.gateway.paid import PaidSearch

        return PaidSearch(provider_of(self._settings, self._clock), self._gate)


def policy_of(settings: Settings) -> Policy:
    """What may be read: the public web without our own hosts, and where it is emulated, its invented pages."""
    from shared.gateway.web.policy import STANDARD_PORTS, Policy

    emulated = urlsplit(settings.emulated_web)
    also = frozenset({(emulated.hostname, emulated.port)}) if emulated.hostname and emulated.port else frozenset()
    ours = [settings.url_of("x"), *settings.cors_origins.split(",")]
    own = frozenset(host for url in ours if (host := urlsplit(url.strip()).hostname))
    return Policy(STANDARD_PORTS | frozenset(settings.fetch_ports), own, also)


def provider_of(settings: Settings, clock: Clock) -> SearchProvider:
    """Who searches, by the settings. Raises SettingsError for a provider without what it needs."""
    from shared.gateway.transport import build_client
    from shared.llm.presets import backend_of

    name = settings.search_provider
    backend = backend_of(settings)
    if name == "searxng":
        from shared.gateway.search.searxng import SearxNg

        return SearxNg(build_client(), _needed(settings.searxng_url, "SEARXNG_URL", name))
    if name == "brave":
        from shared.gateway.search.brave import Brave

        return Brave(build_client(), _needed(settings.brave_api_key, "BRAVE_API_KEY", name), clock.now)
    ours = backend == "vertex" or bool(settings.model_api_key or settings.gemini_api_key)
    if name == "gemini" or (not name and backend in ("gemini", "vertex") and ours):
        from shared.gateway.redirects import Redirects
        from shared.gateway.search.gemini import Grounded

        client = build_client()
        redirects = Redirects(client, settings.redirect_hosts.split(","))
        return Grounded(client, _route(settings, backend), redirects, clock.now)
    from shared.gateway.search.unset import Unset

    return Unset()


def _route(settings: Settings, backend: str) -> Route:
    from shared.gateway.search.gemini import gemini_route, vertex_route
    from shared.llm.presets import base_url_of

    model = settings.search_model or SEARCH_MODEL
    if backend == "vertex":
        from shared.gateway.default_token import DefaultToken

        project = settings.model_project or settings.research_project or settings.project
        return vertex_route(project, settings.model_location, model, DefaultToken(), base_url_of(settings))
    if backend == "gemini":
        key = _needed(settings.model_api_key or settings.gemini_api_key, "GEMINI_API_KEY", "gemini")
        return gemini_route(key, model, base_url_of(settings))
    # The models are served elsewhere; where Google's are is what research is told.
    return gemini_route(_needed(settings.gemini_api_key, "GEMINI_API_KEY", "gemini"), model, settings.research_base_url)


def _needed(value: str, variable: str, provider: str) -> str:
    if not value:
        raise SettingsError(f"{variable} is not set: SEARCH_PROVIDER={provider} needs it.")
    return value
