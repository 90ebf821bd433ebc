"""HTML: the readable text, without what a page has around it; nothing that it names is fetched."""

from __future__ import annotations

import lxml.html
import trafilatura

from shared.documents.parsers.reading import Reading, Wanted
from shared.documents.texts import BOMS, clean, decoded
from shared.gateway.web.decoding import declared

_SAID_BYTES = 4_096
_LEAST_SHARE = 0.3
"""Less than that of all words, and what was taken for the page's furniture was its content."""


def read(wanted: Wanted) -> Reading:
    html = _decoded(wanted.path.read_bytes())
    everything = _everything(html)
    main = trafilatura.extract(html, output_format="markdown", include_tables=True, favor_recall=True) or ""
    text = main if len(main) >= _LEAST_SHARE * len(everything) else everything
    return Reading(1, paged=False, texts=[clean(text)][wanted.first :])


def _decoded(data: bytes) -> str:
    """As the page says it is written, where it says so and there is such a charset."""
    named = "" if data.startswith(BOMS) else declared(data[:_SAID_BYTES].decode("latin-1"))
    return decoded(data) if named in ("", "utf-8") else data.decode(named, errors="replace")


def _everything(html: str) -> str:
    """Every word of the body, line by line."""
    try:
        root = lxml.html.document_fromstring(html.encode(), parser=lxml.html.HTMLParser(encoding="utf-8"))
    except (lxml.etree.ParserError, ValueError):
        return ""
    for hidden in root.xpath("//script|//style|//noscript|//template"):
        hidden.drop_tree()
    lines = (" ".join(str(text).split()) for text in root.xpath("//body//text()"))
    return "\n".join(line for line in lines if line)
