"""Sentences and paragraphs of a text by their places, and where in it a quotation stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from shared.contracts.memory import QUOTE_CHARACTERS

_ABBREVIATIONS = ("mr", "mrs", "ms", "dr", "prof", "st", "vs", "e.g", "i.e", "etc", "approx", "inc", "ltd", "jr")
_END = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s)")
_MARK = re.compile(r"[ \t]*(?:(?:[-*+•]|\d{1,3}[.)]|#{1,6}|\[[ xX]\])[ \t]+)+")
_BREAK = re.compile(r"\n(?=[ \t]*(?:\n|[-*+•>#|]|\d{1,3}[.)]\s|[A-Z\"'“(\[]))|(?<=[.!?:])[ \t]*\n")
_MONTH = re.compile(r"[ \t]+(?:[a-z]|Jan|Feb|M[aä]r|Apr|Ma[yi]|Jun|Jul|Aug|Sep|O[ck]t|Nov|De[cz])")
_LOOKED_AT = 1_200
"""So far around a place one looks for where its sentence, or its paragraph, begins and ends."""
_PARAGRAPH = re.compile(r"\n[ \t]*\n+")


@dataclass(frozen=True)
class Span:
    """Characters of a text, from `start` up to `end`."""

    start: int
    end: int

    def of(self, text: str) -> str:
        return text[self.start : self.end]


def sentences(text: str) -> Iterator[Span]:
    """The sentences in their order, without marks of lists and headings; a line that begins anew is one of its own."""
    for line in _between(text, _BREAK):
        mark = _MARK.match(text, line.start, line.end)
        yield from _sentences(text, Span(mark.end() if mark else line.start, line.end))


def paragraph_at(text: str, span: Span) -> Span:
    """The paragraph in which a place lies, as far as one looks; with the one before where that ends in a colon."""
    first = max(0, span.start - _LOOKED_AT)
    found = list(_between(text[first : span.end + _LOOKED_AT], _PARAGRAPH))
    for n, one in enumerate(found):
        if first + one.start <= span.start < first + one.end:
            announced = n > 0 and text[first + found[n - 1].start : first + found[n - 1].end].rstrip().endswith(":")
            start = found[n - 1].start if announced else one.start
            return Span(first + start, max(first + one.end, span.end))
    return span


def widened(text: str, span: Span) -> Span:
    """The whole sentences that a place lies in, as far as a quotation may reach."""
    first = max(0, span.start - _LOOKED_AT)
    near = (Span(first + one.start, first + one.end) for one in sentences(text[first : span.end + _LOOKED_AT]))
    touched = [one for one in near if one.start < span.end and span.start < one.end]
    if not touched:
        return span
    wide = Span(min(touched[0].start, span.start), max(touched[-1].end, span.end))
    return wide if wide.end - wide.start <= QUOTE_CHARACTERS else span


def located(text: str, quote: str) -> Span | None:
    """Where the quotation stands, whatever the blanks and the case; None where it does not."""
    parts = quote.strip().strip("\"'“”").split()
    if not parts or len(quote) > QUOTE_CHARACTERS * 2:
        return None
    found = re.search(r"\s+".join(map(re.escape, parts)), text, re.IGNORECASE)
    return Span(found.start(), found.end()) if found else None


def folded(text: str) -> str:
    """The text by which words are the same, whatever the blanks and the case."""
    return " ".join(text.split()).lower()


def _sentences(text: str, line: Span) -> Iterator[Span]:
    start = line.start
    for end in _END.finditer(text, line.start, line.end):
        last = text[start : end.start()].rpartition(" ")[2].lower().lstrip("(")
        ordinal = last.isdigit() and len(last) < 3 and _MONTH.match(text, end.end()) is not None
        if end[0] == "." and (last in _ABBREVIATIONS or ordinal):
            continue
        yield from _trimmed(text, start, end.end())
        start = end.end()
    yield from _trimmed(text, start, line.end)


def _between(text: str, breaks: re.Pattern[str]) -> Iterator[Span]:
    start = 0
    for found in breaks.finditer(text):
        yield from _trimmed(text, start, found.start())
        start = found.end()
    yield from _trimmed(text, start, len(text))


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    piece = text[start:end]
    left, right = len(piece) - len(piece.lstrip()), len(piece.rstrip())
    if right > left:
        yield Span(start + left, start + right)
