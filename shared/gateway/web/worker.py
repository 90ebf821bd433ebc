"""The process in which a page is taken apart: python -m shared.gateway.web.worker html|pdf CHARACTERS < body.

It answers {"title", "text", "cut", "links"} on its standard output, or {"error"}. It imports nothing of ours but its
fence, and reads what may have been written to break it; whoever started it may end it at any moment.
"""

from __future__ import annotations

import io
import itertools
import json
import logging
import signal
import sys
from collections.abc import Iterator
from typing import Any

from shared.gateway.fence import fence

_CPU_SECONDS = 20
_MAIN_TEXT_SECONDS = 4.0
"""Of CPU time, for finding what a page is about; it needs some 5 s for a megabyte."""
_LONG_PAGE = 800_000
"""Characters."""
_MEMORY_BYTES = 1_000_000_000
_FILE_BYTES = 50_000_000
_LINKS, _LINK_CHARACTERS = 200, 2_000
_PAGES = 200
_SHORT = 250
"""Characters."""
_BLOCKS = """address article aside blockquote br dd div dl dt footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol
    option p pre section table tr ul"""


def main() -> None:
    kind, longest = sys.argv[1], int(sys.argv[2])
    fence(cpu_seconds=_CPU_SECONDS, file_bytes=_FILE_BYTES, memory_bytes=_MEMORY_BYTES)
    logging.disable(logging.CRITICAL)
    body = sys.stdin.buffer.read()
    answer = _pdf(body, longest) if kind == "pdf" else _html(body.decode(), longest)
    sys.stdout.buffer.write(json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace"))


def _html(page: str, longest: int) -> dict[str, object]:
    text = _main_text(page)
    if len(text or "") < _SHORT:
        text = _all_text(_tree(page)) or text
    tree = _tree(page)
    title = tree.findtext(".//title") or tree.findtext(".//h1")
    return {**_shortened(title, text or "", longest), "links": list(itertools.islice(_links(tree), _LINKS))}


def _main_text(page: str) -> str | None:
    """What the page is about, without what stands around it; None where that would take too long, as in long pages."""
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


def _tree(page: str) -> Any:
    """The page as lxml reads it; one that it cannot read is empty."""
    from lxml import etree, html

    parser = html.HTMLParser(encoding="utf-8", no_network=True)
    try:
        return html.document_fromstring(page.encode(), parser=parser)
    except (etree.LxmlError, ValueError):
        return html.Element("html")


def _links(tree: Any) -> Iterator[tuple[str, str]]:
    """(words, address as it stands there) of each link, the first of several to one place."""
    seen = set()
    for link in tree.iter("a"):
        target, words = (link.get("href") or "").strip(), " ".join(link.text_content().split())[:100]
        if target and words and len(target) <= _LINK_CHARACTERS and target not in seen and target[0] != "#":
            seen.add(target)
            yield words, target


def _all_text(tree: Any) -> str:
    """All that stands in the page, where hardly any main text was found: it may be a table, a form, a list."""
    for unread in tree.xpath("//head|//script|//style|//noscript|//template|//svg"):
        unread.drop_tree()
    for cell in tree.iter("td", "th"):
        cell.tail = " | "
    for block in tree.iter(*_BLOCKS.split()):
        block.text, block.tail = f"\n{block.text or ''}", f"\n{block.tail or ''}"
    lines = (" ".join(line.split()) for line in tree.text_content().splitlines())
    return "\n".join(line.removesuffix(" |") for line in lines if line)


def _pdf(body: bytes, longest: int) -> dict[str, object]:
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(io.BytesIO(body))
        if reader.is_encrypted and not reader.decrypt(""):
            return {"error": "The PDF is encrypted."}
        title = reader.metadata.title if reader.metadata else ""
        text, cut = _joined(_pages(reader), longest)
        return {**_shortened(title, text, longest), "cut": cut or len(reader.pages) > _PAGES}
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, OSError) as error:
        # pypdf raises all of these for what is broken
        return {"error": f"The PDF cannot be read ({type(error).__name__})."}


def _pages(reader: Any) -> Iterator[str]:
    for number, page in enumerate(reader.pages[:_PAGES], start=1):
        yield f"[page {number}]\n{page.extract_text()}"


def _joined(pages: Iterator[str], longest: int) -> tuple[str, bool]:
    found, size = [], 0
    for page in pages:
        found.append(page)
        size += len(page)
        if size > longest:
            return "\n\n".join(found)[:longest], True
    return "\n\n".join(found), False


def _shortened(title: str | None, text: str, longest: int) -> dict[str, object]:
    return {"title": " ".join((title or "").split())[:300], "text": text[:longest], "cut": len(text) > longest}


if __name__ == "__main__":
    main()
