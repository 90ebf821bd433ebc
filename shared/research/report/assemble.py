"""From a draft to the report: sources numbered in the order of the text, marks put in, a list of sources under it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from shared.contracts.limits import NOTE_BODY_BYTES
from shared.contracts.notes import Citation
from shared.links import source_line
from shared.research.report.draft import CUT, Draft, Piece
from shared.research.report.register import Lookup, Register
from shared.research.report.targets import Mention

_SOURCES_BYTES = 1_000_000
"""Kept free for the list of sources: percent signs and backslashes make it some times as long as the citations."""
_FENCE, _FENCE_CHARACTERS = re.compile(r"^[ ]{0,3}(```|~~~)"), 6


@dataclass(frozen=True)
class Report:
    """`text` is the cited text alone, `body` that and its list of sources."""

    text: str
    body: str
    citations: tuple[Citation, ...]
    mended: int
    dropped: int


def assemble(draft: Draft, lookup: Lookup) -> Report:
    """Number each source once, at its first mention.

    A note that is not in the workspace is no source; sources beyond CITATIONS_BYTES are dropped, and counted so.
    """
    register = Register(lookup)
    out = _Text()
    numbers: list[int] = []
    for piece in _bounded(draft.pieces):
        if isinstance(piece, Mention):
            number = register.number(piece)
            if number and number not in numbers:
                numbers.append(number)
        elif piece:
            gap = " " if numbers and piece[0] in "(:" else ""  # else the mark would become a link or a definition
            out.mark(numbers)
            out.add(gap + piece)
            numbers = []
    out.mark(numbers)
    for mention in draft.unplaced:
        register.number(mention)
    text = re.sub(r"\n{3,}", "\n\n", out.whole()).strip()
    citations = tuple(register.citations)
    body = f"{text}\n\n{_sources(citations)}" if citations else text
    return Report(text, body, citations, draft.mended, draft.dropped + register.refused)


class _Text:
    """A text that grows, line by line. Nothing of it is looked at twice, or a long report would take minutes."""

    def __init__(self) -> None:
        self._done: list[str] = []
        self._line: list[str] = []
        self._start = ""
        self._first_word = ""
        """The first characters of the last line, and its first one that is no blank."""

    def add(self, piece: str) -> None:
        lines, newline, last = piece.rpartition("\n")
        if newline:
            self._done += [*self._line, lines + newline]
            self._line, self._start, self._first_word = [], "", ""
        if last:
            self._line.append(last)
            self._start = self._start or last[:_FENCE_CHARACTERS]
            self._first_word = self._first_word or last.lstrip()[:1]

    def mark(self, numbers: Sequence[int]) -> None:
        """Put marks behind the last word; not inside the closing line of a code block or behind a table row."""
        if not numbers:
            return
        marks = "".join(f"[{number}]" for number in numbers)
        if _FENCE.match(self._start):
            self.add(f"\n\n{marks}")
        elif self._first_word == "|" and (row := "".join(self._line).rstrip()).endswith("|"):
            self._line = [f"{row[:-1].rstrip()} {marks} |"]
        else:
            self.add(marks if not self._line or self._line[-1][-1].isspace() else f" {marks}")

    def whole(self) -> str:
        return "".join([*self._done, *self._line])


def _bounded(pieces: Sequence[Piece]) -> list[Piece]:
    """As many pieces as fit a note beside the list of sources."""
    left, kept = NOTE_BODY_BYTES - _SOURCES_BYTES, list[Piece]()
    for piece in pieces:
        size = len(piece.encode()) if isinstance(piece, str) else 8
        if size > left:
            cut = piece.encode()[:left].decode(errors="ignore") if isinstance(piece, str) else ""
            return [*kept, cut, CUT]
        left -= size
        kept.append(piece)
    return kept


def _sources(citations: Sequence[Citation]) -> str:
    lines = ["## Sources", ""]
    for citation in citations:
        note = "" if citation.resolved else " (a redirect that could not be followed)"
        lines.append(f"{citation.n}. {source_line(citation)}{note}")
    return "\n".join(lines)
