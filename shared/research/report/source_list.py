"""The numbered list of sources that an agent writes under its text: read as data, then replaced by ours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from shared.research.report.targets import Mention, target_of

_HEADING = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]*|\*\*|__)?(?:sources?|references?|citations?|works cited|bibliography)"
    r"[ \t]*:?[ \t]*(?:\*\*|__)?[ \t]*:?[ \t]*#*[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_ENTRY = re.compile(r"^[ \t]*(?:[-*+][ \t]+)?(?:\[\^?(\d{1,4})\]|(\d{1,4})[.)])[ \t]*:?[ \t]*(\S.*)$")
_LINK = re.compile(r"\[([^\[\]]{0,300})\]\([ \t]*<?([^\s<>]{1,4000}?)>?[ \t]*\)")
_URL = re.compile(r"<?((?:https?|memex)://[^\s<>]{1,4000})>?")


@dataclass(frozen=True)
class SourceList:
    """The text before the list, and what each number stands for. Without a list: the whole text and no numbers."""

    text: str
    numbered: Mapping[int, Mention]


def split_sources(text: str) -> SourceList:
    """Take the last heading like "Sources" whose lines are all numbered entries; other endings are left as they are."""
    headings = list(_HEADING.finditer(text))
    if not headings:
        return SourceList(text, {})
    heading = headings[-1]
    lines = [line for line in text[heading.end() :].splitlines() if line.strip()]
    entries = [match for line in lines if (match := _ENTRY.match(line))]
    if not entries or len(entries) < len(lines):
        return SourceList(text, {})
    numbered = {int(m[1] or m[2]): mention for m in entries if (mention := _mention(m[3])) is not None}
    return SourceList(text[: heading.start()].rstrip(), numbered)


def _mention(entry: str) -> Mention | None:
    link = _LINK.search(entry)
    if link is not None:
        target = target_of(link[2])
        return Mention(target, link[1].strip()) if target else None
    url = _URL.search(entry)
    target = target_of(url[1].rstrip(".,;")) if url else None
    if url is None or target is None:
        return None
    title = entry[: url.start()].strip(" \t-–—:.,*_\"'")
    return Mention(target, title[:300])
