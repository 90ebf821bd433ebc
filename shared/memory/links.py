"""Sources of records as links of the page."""

from __future__ import annotations

from collections.abc import Sequence

from shared.contracts.memory import SourceKind, SourceRef
from shared.contracts.recall import SourceLink

LINKS = 5
_NAMES = {SourceKind.NOTE: "A note", SourceKind.TURN: "A chat", SourceKind.DOCUMENT: "A document"}


def link_of(source: SourceRef) -> str:
    """Where the page shows the source; a turn is shown in its session."""
    if source.kind is SourceKind.NOTE:
        return f"#/notes/{source.id}"
    if source.kind is SourceKind.TURN:
        return f"#/chat/{source.session_id or source.id}"
    return f"#/documents/{source.id}"


def links_of(sources: Sequence[SourceRef]) -> tuple[SourceLink, ...]:
    """One for each place, the newest word of it; at most LINKS, the newest first."""
    newest: dict[str, SourceLink] = {}
    for one in sorted(sources, key=lambda source: source.said_at, reverse=True):
        link = link_of(one)
        shown = SourceLink(title=one.title or _NAMES[one.kind], link=link, quote=one.quote, said_at=one.said_at)
        newest.setdefault(link, shown)
    return tuple(newest.values())[:LINKS]
