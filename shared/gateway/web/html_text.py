"""HTML taken apart: the readable text, the title, the links. Runs in a worker; nothing that a page names is fetched."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import Any

_MAIN_TEXT_SECONDS = 4.0
"""Of CPU time, for finding what a page is about; it needs some 5 s for a megabyte."""
_LONG_PAGE = 800_000
"""Characters."""
_LINK_CHARACTERS = 2_000
_BLOCKS = """address article aside blockquote br dd div dl dt footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol
    option p pre section table tr ul"""


def readable(page: str, *, shortest: int = 250, least_share: float = 0.0) -> str:
    """What the page is about, as Markdown, without what stands around it.

    All that stands in it, line by line, where there are fewer than `shortest` characters of main text, as in a table, a
    form, a list; where finding that would take too long; and where it is less than `least_share` of everything.
    """
    main = _main_text(page) or ""
    if len(main) >= shortest and not least_share:
        return main
    everything = _all_text(tree_of(page))
    if len(main) >= max(shortest, least_share * len(everything)):
        return main
    return everything or main


def title_of(tree: Any) -> str:
    return tree.findtext(".//title") or tree.findtext(".//h1") or ""


def links_of(tree: Any) -> Iterator[tuple[str, str]]:
    """(words, address as it stands there) of each link, the first of several to one place."""
    seen = set()
    for link in tree.iter("a"):
        target, words = (link.get("href") or "").strip(), " ".join(link.text_content().split())[:100]
        if target and words and len(target) <= _LINK_CHARACTERS and target not in seen and target[0] != "#":
            seen.add(target)
            yield words, target


def tree_of(page: str) -> Any:
    """The page as lxml reads it; one that it cannot read is empty."""
    from lxml import etree, html

    parser = html.HTMLParser(encoding="utf-8", no_network=True)
    try:
        return html.document_fromstring(page.encode(), parser=parser)
    except (etree.LxmlError, ValueError):
        return html.Element("html")


def _main_text(page: str) -> str | None:
    """None where it would take too long, as in long pages."""
    if len(page) > _LONG_PAGE:
        return None
    import trafilatura

    signal.signal(signal.SIGPROF, _give_up)
    signal.setitimer(signal.ITIMER_PROF, _MAIN_TEXT_SECONDS)
    try:
        return trafilatura.extract(
            page, output_format="markdown", include_comments=False, include_tables=True, favor_recall=True
        )
    except _TooSlow:
        return None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


class _TooSlow(BaseException):
    """Not an Exception: a library that catches those must not catch this."""


def _give_up(_number: int, _frame: object) -> None:
    raise _TooSlow


def _all_text(tree: Any) -> str:
    for unread in tree.xpath("//head|//script|//style|//noscript|//template|//svg"):
        unread.drop_tree()
    for cell in tree.iter("td", "th"):
        cell.tail = " | "
    for block in tree.iter(*_BLOCKS.split()):
        block.text, block.tail = f"\n{block.text or ''}", f"\n{block.tail or ''}"
    lines = (" ".join(line.split()) for line in tree.text_content().splitlines())
    return "\n".join(line.removesuffix(" |") for line in lines if line)
