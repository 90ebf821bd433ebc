"""How a text names what it leads to."""

from __future__ import annotations

import re
from urllib.parse import quote

from shared.contracts.notes import Citation

SCHEME = "memex"
_SPECIAL = re.compile(r"([\[\]\\`<>])")


def note_url(note_id: str) -> str:
    """A note, in a prompt or in a text."""
    return f"{SCHEME}://notes/{note_id}"


def document_url(document_id: str, page: int | None) -> str:
    """A document, or one page of it."""
    return f"{SCHEME}://documents/{document_id}" + (f"?page={page}" if page is not None else "")


def web_url(address: str) -> str:
    """An address of the web as it may stand in the brackets of a Markdown link."""
    return quote(address, safe=":/?#@!$&'*+,;=%~-._")


def source_line(citation: Citation) -> str:
    """A source in the list of a text's sources, without its number: a link, a document by its name and page."""
    title = _SPECIAL.sub(r"\\\1", " ".join(citation.title.split()))
    if citation.document_id is not None:
        return f"{title}, page {citation.page}" if citation.page is not None else title
    address = note_url(citation.note_id) if citation.note_id else web_url(citation.url or "")
    return f"[{title}]({address})"
