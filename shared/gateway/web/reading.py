"""From an address to the readable text behind it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from shared.gateway.transport import Cut
from shared.gateway.web.decoding import decoded
from shared.gateway.web.extracting import Extracted, Extractor
from shared.gateway.web.fetching import Fetched, Fetcher
from shared.gateway.web.kinds import Kind, kind_of
from shared.gateway.web.refusals import BadAddress, Unreadable
from shared.gateway.web.urls import WebAddress

LINKS = 40


@dataclass(frozen=True)
class Page:
    """`url` is where it was read, after all redirects, its host as the network knows it."""

    url: str
    title: str
    kind: Kind
    text: str
    cut: bool
    """Whether there was more than the text has."""
    links: Mapping[str, str] = field(default_factory=dict)
    """Where the page links to, with the words of each link."""


class Reader:
    """Reads pages, of each at most `characters`."""

    def __init__(self, fetcher: Fetcher, extractor: Extractor, characters: int) -> None:
        self._fetcher, self._extractor, self._characters = fetcher, extractor, characters

    def read(self, url: str, cut: Cut) -> Page:
        """Fetch the address and give its text. Raises as Fetcher.fetch and Extractor.extract do."""
        fetched = self._fetcher.fetch(url, cut)
        if not fetched.body.strip():
            raise Unreadable("The page is empty.")
        kind = kind_of(fetched.content_type, fetched.body)
        found = self._extracted(kind, fetched, cut)
        if not found.text.strip():
            raise Unreadable("There is no text in the page: it may need a browser with JavaScript.")
        title = found.title or fetched.address.host
        links = _targets(fetched.address, found.links)
        return Page(fetched.address.url, title, kind, found.text, found.cut or fetched.cut, links)

    def _extracted(self, kind: Kind, fetched: Fetched, cut: Cut) -> Extracted:
        if kind == "pdf":
            if fetched.cut:
                raise Unreadable("The PDF is too large to be read from the web.")
            return self._extractor.extract("pdf", fetched.body, self._characters, cut)
        text = decoded(fetched.body, fetched.content_type, markup=kind == "html")
        if kind == "html":
            return self._extractor.extract("html", text.encode(), self._characters, cut)
        return Extracted("", text[: self._characters], len(text) > self._characters)


def _targets(page: WebAddress, links: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The whole address of each link with its words; what is no address of a web page is left out."""
    found: dict[str, str] = {}
    for words, target in links:
        try:
            address = page.redirected(target)
        except BadAddress:
            continue
        if len(found) < LINKS and address != page:
            found.setdefault(address.url, words)
    return found
