"""Whether and how the web is searched and read."""

from __future__ import annotations

from dataclasses import dataclass

from shared import parsing
from shared.settings.setting import setting


@dataclass(frozen=True)
class WebSettings:
    """Fields of shared.config.Settings."""

    allow_internet_access: bool = setting(
        "ALLOW_INTERNET_ACCESS",
        "Whether models may search the web and read pages (the tools web_search and fetch_url): on or off.",
        True,
        parsing.switch,
    )
    search_provider: str = setting(
        "SEARCH_PROVIDER",
        "Who searches the web: gemini (Google, through a model of Gemini's or Vertex's), searxng (needs SEARXNG_URL), "
        "brave (needs BRAVE_API_KEY) or none. Empty: gemini where the models are Gemini's or Vertex's, else none.",
        "",
        parsing.choice("", "gemini", "searxng", "brave", "none"),
    )
    search_model: str = setting(
        "SEARCH_MODEL", "The model that searches with Google. Empty: gemini-3.5-flash-lite.", ""
    )
    searxng_url: str = setting(
        "SEARXNG_URL", "The address of a SearXNG server whose settings allow the format json.", ""
    )
    brave_api_key: str = setting("BRAVE_API_KEY", "The key of Brave's search API.", "", secret=True)
    fetch_seconds: float = setting(
        "FETCH_SECONDS", "How long getting one page may take, all redirects included.", 15.0, parsing.positive
    )
    fetch_max_bytes: int = setting(
        "FETCH_MAX_BYTES", "How much of a page is read, as it comes and once it is unpacked.", 5_000_000, parsing.count
    )
    fetch_ports: frozenset[int] = setting(
        "FETCH_PORTS", "Ports beside 80 and 443 that pages may be read from, separated by commas.", "", parsing.ports
    )
    emulated_web: str = setting(
        "EMULATED_WEB",
        "For the local cloud only: where its invented web pages are, which may be read although that is loopback. "
        "Refused where Firestore is not emulated.",
        "",
        parsing.loopback,
    )
