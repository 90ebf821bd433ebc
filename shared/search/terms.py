"""What of a note is searched: stems with how often they occur, and the beginnings of its words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shared.search.languages import ANY_SMALL, languages_of
from shared.search.stems import stems
from shared.search.words import words

BODY_CHARACTERS = 100_000
WORDS_MAX = 1_500
"""Different words of a body that are indexed, the first ones: each costs stemming and entries of the index."""
TITLE_WEIGHT, TAG_WEIGHT = 4, 3
BEGINNING, HEADING = "^", "="
"""Stand before the beginnings of words, and before stems of title and tags."""
TITLE_BEGINNINGS = (1, 2, 3, 6)
BODY_BEGINNINGS = (3, 6)
"""How many characters of a word are indexed as its beginning: a query's last word asks for the longest that fits."""


@dataclass(frozen=True)
class Terms:
    """`terms` is what is asked for, `frequencies` what is counted (" sun:3 panel:1 "), `length` in words."""

    terms: tuple[str, ...]
    frequencies: str
    length: int


def terms_of(title: str, body: str, tags: Iterable[str], summary: str = "") -> Terms:
    """The terms of a note. Small words count only where the title has them."""
    heading = [*words(title), *(word for tag in tags for word in words(tag.replace("-", " ")))]
    text = [*words(summary), *words(body[:BODY_CHARACTERS])]
    languages = languages_of([*words(title), *text[:2000]])
    counted = Counter(word for word in text if word not in ANY_SMALL)
    kept = dict(list(counted.items())[:WORDS_MAX])
    frequencies: Counter[str] = Counter()
    for word, count in kept.items():
        for stem in stems(word, languages):
            frequencies[stem] += count
    for place, word in enumerate(heading):
        weight = TITLE_WEIGHT if place < len(words(title)) else TAG_WEIGHT
        for stem in stems(word, languages):
            frequencies[stem] += weight
    headings = dict.fromkeys(HEADING + stem for word in heading for stem in stems(word, languages))
    beginnings = dict.fromkeys([*_beginnings(heading, TITLE_BEGINNINGS), *_beginnings(kept, BODY_BEGINNINGS)])
    spelled = " ".join(f"{stem}:{count}" for stem, count in frequencies.items())
    return Terms((*frequencies, *headings, *beginnings), f" {spelled} ", len(heading) + len(text))


def beginning_of(word: str) -> str | None:
    """The term that asks for words beginning so; None for what is too short to ask for."""
    fitting = [size for size in TITLE_BEGINNINGS if size <= len(word)]
    return BEGINNING + word[: fitting[-1]] if fitting else None


def _beginnings(found: Iterable[str], sizes: Sequence[int]) -> Iterable[str]:
    return (BEGINNING + word[:size] for word in found for size in sizes if len(word) >= size)
