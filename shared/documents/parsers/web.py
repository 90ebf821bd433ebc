"""HTML: the readable text, without what a page has around it; nothing that it names is fetched."""

from __future__ import annotations

from shared.documents.parsers.reading import Reading, Wanted
from shared.documents.texts import BOMS, clean, decoded
from shared.gateway.web.decoding import declared
from shared.gateway.web.html_text import readable

_SAID_BYTES = 4_096
_LEAST_SHARE = 0.3
"""Less than that of all words, and what was taken for the page's furniture was its content."""


def read(wanted: Wanted) -> Reading:
    text = readable(_decoded(wanted.path.read_bytes()), shortest=1, least_share=_LEAST_SHARE)
    return Reading(1, paged=False, texts=[clean(text)][wanted.first :])


def _decoded(data: bytes) -> str:
    """As the page says it is written, where it says so and there is such a charset."""
    named = "" if data.startswith(BOMS) else declared(data[:_SAID_BYTES].decode("latin-1"))
    return decoded(data) if named in ("", "utf-8") else data.decode(named, errors="replace")
