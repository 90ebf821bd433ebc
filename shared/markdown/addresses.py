"""Which addresses a text may lead to, and how they are written."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote, urlsplit

QUERY_CHARACTERS = 500
"""A query that is longer carries something out rather than asking for something: it is taken off."""

_SCHEMES = frozenset({"http", "https", "mailto"})
_NOTE = re.compile(r"\A(?:memex://notes/|#/notes/)([^\s/?#]{1,4500})\Z")
_DOCUMENT = re.compile(r"\A(?:memex://documents/|#/documents/)([^\s/?#]{1,4500})(?:\?page=([1-9]\d{0,5}))?\Z")
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\x9f\\\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def safe(address: str) -> str | None:
    """The address as a link may have it: http, https, mailto, "#/notes/{id}" or "#/documents/{id}?page={n}".

    None for every other.
    """
    note = _NOTE.match(address)
    if note is not None:
        return f"#/notes/{quote(unquote(note[1]), safe='')}"
    document = _DOCUMENT.match(address)
    if document is not None:
        page = f"?page={document[2]}" if document[2] else ""
        return f"#/documents/{quote(unquote(document[1]), safe='')}{page}"
    if _UNSAFE.search(address):
        return None
    try:
        parts = urlsplit(address)
        host = parts.hostname
    except ValueError:
        return None
    if parts.scheme.lower() not in _SCHEMES or (parts.scheme.lower() != "mailto" and not host):
        return None
    return parts._replace(query="", fragment="").geturl() if len(parts.query) > QUERY_CHARACTERS else address


def host(address: str) -> str:
    """The host that an address really leads to, international names in their ASCII form; empty for none."""
    try:
        name = urlsplit(address).hostname or ""
        return name if name.isascii() else name.encode("idna").decode()
    except (ValueError, UnicodeError):
        return "?"
