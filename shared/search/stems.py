"""Stems: what the forms of a word have in common, by the Snowball rules of each language."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from functools import cache, lru_cache

import snowballstemmer

_LONGEST = 25
"""Longer words are names or addresses: their stem is the word."""
_lock = threading.Lock()
"""A stemmer works on itself, so one word at a time."""


def stems(word: str, languages: Iterable[str]) -> tuple[str, ...]:
    """The word's stem in each of the languages, each stem once."""
    if len(word) < 3 or len(word) > _LONGEST or not word.isalpha():
        return (word,)
    return tuple(dict.fromkeys(_stem(word, language) for language in languages))


@lru_cache(maxsize=100_000)
def _stem(word: str, language: str) -> str:
    with _lock:
        return str(_stemmer(language).stemWord(word))


@cache
def _stemmer(language: str) -> snowballstemmer.basestemmer.BaseStemmer:
    return snowballstemmer.stemmer(language)
