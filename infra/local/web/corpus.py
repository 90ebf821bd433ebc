"""The invented pages as text, and which of them are about something: what an emulated search finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

from infra.local.aiplatform.rarity import Rarity
from infra.local.aiplatform.terms import terms

_FOLDER = Path(__file__).parent / "pages"
_TITLE = 3.0
"""What a word of the title counts, next to one of the text."""
_CUT = 0.1
"""Of the best page's score: what is below is about something else."""


@dataclass(frozen=True)
class WebPage:
    """`path` is where it is served, such as /tavrolo/prices; `text` is what a person reads in its main part."""

    path: str
    title: str
    text: str
    html: str


@cache
def pages() -> tuple[WebPage, ...]:
    """All of them, by their files: {site}-{page}.html is served as /{site}/{page}."""
    return tuple(_page(path) for path in sorted(_FOLDER.glob("*.html")))


def found(query: str, most: int = 6) -> Sequence[WebPage]:
    """The pages that the query is about, the best first; none where no page shares a word with it."""
    held = [(page, terms(page.title), terms(page.text)) for page in pages()]
    rarity = Rarity([title | text for _page, title, text in held])
    wanted = terms(query)
    scored = [(rarity.total(wanted & title) * _TITLE + rarity.total(wanted & text), page) for page, title, text in held]
    best = max((score for score, _ in scored), default=0.0)
    fitting = [(score, page) for score, page in scored if score > 0 and score >= best * _CUT]
    return [page for _, page in sorted(fitting, key=lambda pair: (-pair[0], pair[1].path))][:most]


def _page(path: Path) -> WebPage:
    html = path.read_text(encoding="utf-8")
    reader = _Reader()
    reader.feed(html)
    site, _, name = path.stem.partition("-")
    return WebPage(f"/{site}/{name}", reader.title.strip(), "\n\n".join(reader.blocks), html)


class _Reader(HTMLParser):
    """Title, and the paragraphs, list items and rows of the main part; its heading as Markdown has it."""

    def __init__(self) -> None:
        super().__init__()
        self.title, self.blocks = "", list[str]()
        self._inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "br"):
            self._inside.append(tag)
        if "main" in self._inside and tag in ("p", "li", "h1", "tr"):
            self.blocks.append("# " if tag == "h1" else "")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._inside:
            del self._inside[len(self._inside) - 1 - self._inside[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        if self._inside[-1:] == ["title"]:
            self.title += data
        elif "main" in self._inside and self.blocks and data.strip():
            before = "| " if self._inside[-1] in ("td", "th") else ""
            self.blocks[-1] += f"{before}{' '.join(data.split())} "
