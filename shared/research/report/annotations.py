"""Annotations of a text as mentions at places of the joined text.

Offsets are UTF-8 bytes within their own text, the end exclusive. Only the end matters here: the mark goes behind it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shared.research.report.parts import Joined, Part
from shared.research.report.targets import Mention, Target, target_of

_TITLE_CHARACTERS = 300
_KINDS = ("url_citation", "file_citation", "place_citation")


@dataclass(frozen=True)
class Placed:
    """A mention and the character of the joined text before which it goes."""

    position: int
    mention: Mention
    mended: bool


@dataclass(frozen=True)
class Annotated:
    """`mended` offsets were moved; `dropped` citations name no source that may be shown."""

    placed: tuple[Placed, ...]
    mended: int
    dropped: int


def annotated(joined: Joined) -> Annotated:
    """All citations of all texts, by place. An annotation that is no citation is passed over."""
    placed: list[Placed] = []
    dropped = 0
    for part in joined.parts:
        data = part.text.encode()
        for item in part.annotations:
            if item.get("type") not in _KINDS:
                continue
            target = _target(item)
            if target is None:
                dropped += 1
                continue
            placed.append(_placed(part, data, item, Mention(target, _title(item))))
    placed.sort(key=lambda found: found.position)
    unique = tuple(dict.fromkeys(placed))
    return Annotated(unique, sum(found.mended for found in unique), dropped)


def _target(item: Mapping[str, Any]) -> Target | None:
    named = (target_of(item.get(name)) for name in ("url", "document_uri", "source"))
    return next((target for target in named if target), None)


def _title(item: Mapping[str, Any]) -> str:
    named = (item.get(name) for name in ("title", "file_name", "name"))
    return next((title.strip()[:_TITLE_CHARACTERS] for title in named if isinstance(title, str) and title.strip()), "")


def _placed(part: Part, data: bytes, item: Mapping[str, Any], mention: Mention) -> Placed:
    """Offsets out of range go to the text's end; one inside a character moves behind it; blanks are left outside."""
    start, end = (_offset(item.get(name)) for name in ("start_index", "end_index"))
    sound = end is not None and 0 < end <= len(data) and (start is None or 0 <= start <= end)
    at = end if end is not None and sound else len(data)
    while at < len(data) and data[at] & 0xC0 == 0x80:  # a continuation byte
        at, sound = at + 1, False
    before = data[:at].decode()
    return Placed(part.start + (len(before.rstrip()) or len(before)), mention, not sound)


def _offset(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return int(value)
    except (ValueError, OverflowError):
        return None
