"""How a text names what it leads to."""

from __future__ import annotations

from urllib.parse import quote

SCHEME = "memex"


def note_url(note_id: str) -> str:
    """A note, in a prompt or in a text."""
    return f"{SCHEME}://notes/{note_id}"


def web_url(address: str) -> str:
    """An address of the web as it may stand in the brackets of a Markdown link."""
    return quote(address, safe=":/?#@!$&'*+,;=%~-._")
