"""How much it says that two texts share a term: the fewer sentences have it, the more."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable


class Rarity:
    """Weights of terms within a set of sentences, each given as its terms."""

    def __init__(self, pool: Collection[frozenset[str]]) -> None:
        self._size = len(pool)
        self._frequency = Counter(term for found in pool for term in found)

    def weight(self, term: str) -> float:
        """From log 2 for a term of every sentence up; highest for one that no sentence has."""
        return math.log(1 + self._size / max(1, self._frequency[term]))

    def total(self, terms: Iterable[str]) -> float:
        return sum(sorted(self.weight(term) for term in terms))  # sorted: the same sum in any order of a set

    def share(self, wanted: frozenset[str], found: frozenset[str]) -> float:
        """How much of what is wanted is found, from 0 to 1."""
        whole = self.total(wanted)
        return self.total(wanted & found) / whole if whole else 0.0
