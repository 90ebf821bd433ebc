"""What a citation may point to: a web page, a note or a document of the workspace, and nothing else."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from shared.ids import is_safe
from shared.links import SCHEME

_URL_CHARACTERS = 4_000
_PAGE = re.compile(r"page=([1-9]\d{0,5})")


@dataclass(frozen=True)
class Target:
    """Exactly one of the first three is set; `page` is one of the document."""

    url: str | None = None
    note_id: str | None = None
    document_id: str | None = None
    page: int | None = None


@dataclass(frozen=True)
class Mention:
    """A place of the text where a source is cited. Two mentions of one target are two mentions, and one source."""

    target: Target
    title: str = field(default="", compare=False)


def target_of(url: object) -> Target | None:
    """The target a link names; None for other schemes, malformed addresses and such with a user in them."""
    if not isinstance(url, str):
        return None
    given = html.unescape(url).strip()
    if not given or len(given) > _URL_CHARACTERS or not given.isprintable() or any(c.isspace() for c in given):
        return None
    try:
        parts = urlsplit(given)
        parts.port  # noqa: B018 - raises for a malformed port
    except ValueError:
        return None
    if parts.scheme == SCHEME:
        return _own(parts.netloc, unquote(parts.path.strip("/")), parts.query)
    sound = parts.scheme in ("http", "https") and parts.hostname and "@" not in parts.netloc and "\\" not in given
    return Target(url=given) if sound else None


def _own(collection: str, identifier: str, query: str) -> Target | None:
    if not is_safe(identifier):
        return None
    if collection == "documents":
        page = _PAGE.fullmatch(query)
        return Target(document_id=identifier, page=int(page[1]) if page else None)
    return Target(note_id=identifier) if collection == "notes" else None


def host_of(url: str) -> str:
    return urlsplit(url).hostname or url
