"""The process in which a page is taken apart: python -m shared.gateway.web.worker html|pdf CHARACTERS < body.

It answers {"title", "text", "cut"} on its standard output, or {"error"}. It imports nothing of ours, bounds its own
memory and time, and reads what may have been written to break it; whoever started it may end it at any moment.
"""

from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Iterator

_CPU_SECONDS = 20
_MEMORY_BYTES = 2_000_000_000
_PAGES = 200
_SHORT = 250
"""Characters."""
_BLOCKS = """address article aside blockquote br dd div dl dt footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol
    option p pre section table tr ul"""


def main() -> None:
    kind, longest = sys.argv[1], int(sys.argv[2])
    _bound()
    logging.disable(logging.CRITICAL)
    body = sys.stdin.buffer.read()
    answer = _pdf(body, longest) if kind == "pdf" else _html(body.decode(), longest)
    sys.stdout.buffer.write(json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace"))


def _bound() -> None:
    """Where the system knows such bounds, too much memory is an error here, and too much time the end."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (_CPU_SECONDS, _CPU_SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    except (ImportError, ValueError, OSError):
        return


def _html(page: str, longest: int) -> dict[str, object]:
    import trafilatura

    text = trafilatura.extract(
        page, output_format="markdown", include_comments=False, include_tables=True, favor_recall=True
    )
    about = trafilatura.extract_metadata(page)
    if len(text or "") < _SHORT:
        text = _all_text(page) or text
    return _shortened(about.title if about else "", text or "", longest)


def _all_text(page: str) -> str:
    """All that stands in the page, where hardly any main text was found: it may be a table, a form, a list."""
    from lxml import etree, html

    try:
        tree = html.document_fromstring(page.encode(), parser=html.HTMLParser(encoding="utf-8", no_network=True))
    except (etree.LxmlError, ValueError):
        return ""
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


def _pages(reader: object) -> Iterator[str]:
    for number, page in enumerate(reader.pages[:_PAGES], start=1):  # type: ignore[attr-defined]
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
