"""Annotations of a text as mentions at places of the joined text.

Offsets are UTF-8 bytes within their own text, the end exclusive. Only the end matters here: the mark goes behind it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shared.research.report.parts import Joined
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
        cited = [item for item in part.annotations if item.get("type") in _KINDS]
        named = [(item, target) for item in cited if (target := _target(item)) is not None]
        dropped += len(cited) - len(named)
        data = part.text.encode() if named else b""
        ends = [_end(data, item) for item, _ in named]
        places = _places(data, {at for at, _ in ends})
        for (item, target), (at, sound) in zip(named, ends, strict=True):
            placed.append(Placed(part.start + places[at], Mention(target, _title(item)), not sound))
    placed.sort(key=lambda found: found.position)
    unique = tuple(dict.fromkeys(placed))
    return Annotated(unique, sum(found.mended for found in unique), dropped)


def _target(item: Mapping[str, Any]) -> Target | None:
    named = (target_of(item.get(name)) for name in ("url", "document_uri", "source"))
    return next((target for target in named if target), None)


def _title(item: Mapping[str, Any]) -> str:
    named = (item.get(name) for name in ("title", "file_name", "name"))
    return next((title.strip()[:_TITLE_CHARACTERS] for title in named if isinstance(title, str) and title.strip()), "")


def _end(data: bytes, item: Mapping[str, Any]) -> tuple[int, bool]:
    """The byte behind which the mark goes, and whether the annotation named that very byte.

    Offsets out of range go to the text's end; one inside a character moves behind it.
    """
    start, end = (_offset(item.get(name)) for name in ("start_index", "end_index"))
    sound = end is not None and 0 < end <= len(data) and (start is None or 0 <= start <= end)
    at = end if end is not None and sound else len(data)
    while at < len(data) and data[at] & 0xC0 == 0x80:  # a continuation byte
        at, sound = at + 1, False
    return at, sound


def _places(data: bytes, ends: set[int]) -> dict[int, int]:
    """The characters before each of these bytes, blanks before it left out: one pass, however many there are."""
    places: dict[int, int] = {}
    before, characters, word_end = 0, 0, 0
    for at in sorted(ends):
        piece = data[before:at].decode()
        if words := len(piece.rstrip()):
            word_end = characters + words
        before, characters = at, characters + len(piece)
        places[at] = word_end or characters
    return places


def _offset(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return int(value)
    except (ValueError, OverflowError):
        return None
