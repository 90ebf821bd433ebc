"""A query as the words to look for, the last one also as the beginning of a word."""

from __future__ import annotations

from dataclasses import dataclass

from shared.contracts.limits import QUERY_CHARACTERS
from shared.errors import InputError
from shared.search.languages import ANY_SMALL, LANGUAGES
from shared.search.stems import stems
from shared.search.terms import beginning_of
from shared.search.words import words

WORDS_MAX = 8
TERMS_MAX = 30
"""Firestore takes no more values in one array-contains-any."""
_STEM_LEAST, _ENDING = 3, 4


@dataclass(frozen=True)
class Wanted:
    """One word: its stems in every language, and for the last its beginning ("" for the others)."""

    word: str
    stems: tuple[str, ...]
    beginning: str = ""

    @property
    def terms(self) -> tuple[str, ...]:
        """What to ask the index for."""
        begun = beginning_of(self.beginning) if self.beginning else None
        return tuple(dict.fromkeys((*self.stems, *((begun,) if begun else ()))))

    def count(self, frequencies: str) -> int:
        """How often the note with those frequencies has it."""
        most = max(_count(frequencies, stem) for stem in self.stems)
        return most or (int(self._begins(frequencies)) if self.beginning else 0)

    def _begins(self, frequencies: str) -> bool:
        """Whether some word of the note begins so; a stem may lack the end of the word that was begun."""
        if f" {self.beginning}" in frequencies:
            return True
        cuts = range(max(_STEM_LEAST, len(self.beginning) - _ENDING), len(self.beginning))
        return any(f" {self.beginning[:cut]}:" in frequencies for cut in cuts)


def _count(frequencies: str, stem: str) -> int:
    marker = f" {stem}:"
    at = frequencies.find(marker)
    return int(frequencies[at + len(marker) : frequencies.find(" ", at + len(marker))]) if at >= 0 else 0


def parsed(query: str) -> tuple[Wanted, ...]:
    """The words of a query, at most WORDS_MAX, the small ones only where there are no others; none for a sign alone.

    Raises InputError for one that is too long.
    """
    if len(query) > QUERY_CHARACTERS:
        raise InputError(f"q: at most {QUERY_CHARACTERS} characters", field="q")
    given = list(dict.fromkeys(words(query)))
    if not given:
        return ()
    begun = given[-1] if query[-1].isalnum() else ""
    telling = [word for word in given if word not in ANY_SMALL or word == begun] or given
    return tuple(Wanted(word, stems(word, LANGUAGES), word if word == begun else "") for word in telling[-WORDS_MAX:])
