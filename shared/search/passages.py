"""The passage of a text that fits a query best."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from shared.search.query import Wanted
from shared.search.words import folded

PASSAGE_CHARACTERS = 280
_PLACES = 40
"""Of each word so many occurrences are looked at."""
_MARKS = re.compile(r"!\[[^\]]*\]\([^)]*\)|\[([^\]]*)\]\([^)]*\)|^\s{0,3}(?:#{1,6}|>|[-*+]|\d+\.)\s+|[*_`~]{1,3}", re.M)
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.*?)[ \t#]*$", re.M)
_BLANKS = re.compile(r"\s+")
_STEM_LEAST = 3


@dataclass(frozen=True)
class Passage:
    text: str
    matched: tuple[str, ...]
    """The query's words that the whole text has."""


def passage(body: str, wanted: Sequence[Wanted]) -> Passage:
    """About PASSAGE_CHARACTERS of the body as plain text, around the place with most of the words; else its start."""
    text = same_length_folded(body)
    places = [(at, number) for number, word in enumerate(wanted) for at in _places(text, word)]
    matched = tuple(word.word for number, word in enumerate(wanted) if any(number == each for _, each in places))
    if not places:
        return Passage(plain(body[: PASSAGE_CHARACTERS * 2], PASSAGE_CHARACTERS), ())
    places.sort()
    best = max(places, key=lambda place: (_worth(places, place[0]), -place[0]))[0]
    return Passage(around(body, best), matched)


def around(body: str, at: int) -> str:
    """About PASSAGE_CHARACTERS of the body as plain text, from the beginning of what stands there."""
    start = _sentence_start(body, at)
    shown = plain(body[start : start + PASSAGE_CHARACTERS * 2], PASSAGE_CHARACTERS)
    return f"…{shown}" if start else shown


def plain(text: str, longest: int) -> str:
    """Markdown as running text, cut at a word; a dot stands between a heading and what it heads."""
    flat = _BLANKS.sub(" ", _MARKS.sub(r"\1", _HEADING.sub(r"\1 ·", text))).strip().removesuffix(" ·")
    if len(flat) <= longest:
        return flat
    return f"{flat[:longest].rpartition(' ')[0] or flat[:longest]}…"


def prose(text: str) -> str:
    """The Markdown without its headings; all of it where there is nothing else."""
    without = _HEADING.sub("", text)
    return without if without.strip() else text


def same_length_folded(text: str) -> str:
    """Folded character by character, so that places stay places."""
    if text.isascii():
        return text.lower()
    return "".join(folded(character)[:1] or " " for character in text)


def _places(text: str, word: Wanted) -> list[int]:
    """Where words begin that may be forms of the word: they share its shortest stem."""
    shortest = min((stem for stem in word.stems), key=len)
    key = shortest if len(shortest) >= _STEM_LEAST or len(word.word) <= _STEM_LEAST else word.word
    found: list[int] = []
    at = text.find(key)
    while at >= 0 and len(found) < _PLACES:
        if at == 0 or not text[at - 1].isalnum():
            found.append(at)
        at = text.find(key, at + 1)
    return found


def _worth(places: Sequence[tuple[int, int]], start: int) -> int:
    """How many different words are near behind a place."""
    return len({number for at, number in places if start <= at < start + PASSAGE_CHARACTERS * 2 // 3})


def _sentence_start(body: str, at: int) -> int:
    """The beginning of the sentence or line, if it is near; else of the word before."""
    window = body[max(0, at - 120) : at]
    ends = [window.rfind(mark) + len(mark) for mark in (". ", "? ", "! ", "\n") if mark in window]
    if ends:
        return at - len(window) + max(ends)
    if at <= 120:
        return 0
    blank = body.find(" ", at - 60, at)
    return blank + 1 if blank >= 0 else at
