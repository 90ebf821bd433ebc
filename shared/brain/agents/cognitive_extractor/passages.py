"""A long text in passages that end with a paragraph, so that no statement is cut in two."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shared.brain.sentences import Span

PASSAGE_CHARACTERS = 2_000
_ENDS = (re.compile(r"\n[ \t]*\n"), re.compile(r"\n"), re.compile(r"[.!?]\s"), re.compile(r"\s"))
"""Where a passage may end, the best first."""


def passages(text: str, start: int) -> Iterator[Span]:
    """The passages from `start` on, in their order, each of at most PASSAGE_CHARACTERS; none of blanks alone."""
    while start < len(text):
        end = _end(text, start)
        if text[start:end].strip():
            yield Span(start, end)
        start = end


def _end(text: str, start: int) -> int:
    longest = start + PASSAGE_CHARACTERS
    if longest >= len(text):
        return len(text)
    for form in _ENDS:
        last = max((found.end() for found in form.finditer(text, start + PASSAGE_CHARACTERS // 2, longest)), default=0)
        if last:
            return last
    return longest
