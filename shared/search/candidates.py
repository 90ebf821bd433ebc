"""Candidates for a ranking, from any index of terms and embeddings: a bounded number, however much there is.

The newest with any of the words are looked at first; where there are more of them, also those that have a word in the
title, and those with the words that the newest hardly have, so that a rare word is found behind frequent ones.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from shared.errors import MemexError
from shared.llm.port import Embedder
from shared.search.query import TERMS_MAX, Wanted
from shared.search.terms import HEADING
from shared.store.note_index import Candidate

log = logging.getLogger(__name__)

CANDIDATES = 50
HEADED_CANDIDATES = 24
"""Where there are more than CANDIDATES, so many more with a word in the title or as a tag."""
RARE_CANDIDATES, RARE_WORDS = 16, 2
"""And for so many words that the first ones hardly have, so many each."""
_RARE_SHARE = 0.15
NEAR_CANDIDATES = 30
NEAR_THRESHOLD, NEAR_MARGIN = 0.5, 0.12
"""Further away than that, or than that much further than the nearest, a note has another subject."""

WithTerms = Callable[[Sequence[str], int], list[Candidate]]
"""Those with any of so many terms, at most that many, the newest first."""
Near = Callable[[Sequence[float], float, int], list[Candidate]]
"""Those whose embedding is no further from a vector than a threshold, at most that many, the nearest first."""


def by_words(wanted: Sequence[Wanted], with_terms: WithTerms) -> dict[str, Candidate]:
    """Those that have any of the words, by id."""
    first = with_terms(_terms(wanted), CANDIDATES)
    found = {one.id: one for one in first}
    if len(first) == CANDIDATES:
        more = with_terms(_headings(wanted), HEADED_CANDIDATES)
        for word in _rare(wanted, first):
            more += with_terms(word.terms, RARE_CANDIDATES)
        found |= {one.id: one for one in more}
    return found


def by_meaning(query: str, embedder: Callable[[], Embedder | None], near: Near) -> list[Candidate]:
    """Those about the same, the nearest first; without an answer of the embedding model none: the words decide."""
    try:
        model = embedder()
        if model is None:
            return []
        (vector,) = model.embed([query], query=True)
        found = near(vector, NEAR_THRESHOLD, NEAR_CANDIDATES)
        return [one for one in found if one.distance <= found[0].distance + NEAR_MARGIN]
    except MemexError as error:
        log.warning("search without the embedding model: %s", error.message)
        return []


def _terms(wanted: Sequence[Wanted]) -> list[str]:
    """As many as may be asked for, the last word's first: its beginning is being typed."""
    every = dict.fromkeys(term for word in reversed(wanted) for term in word.terms)
    return list(every)[:TERMS_MAX]


def _headings(wanted: Sequence[Wanted]) -> list[str]:
    return list(dict.fromkeys(HEADING + stem for word in wanted for stem in word.stems))[:TERMS_MAX]


def _rare(wanted: Sequence[Wanted], sample: Sequence[Candidate]) -> list[Wanted]:
    """The words that few of the sample have, the rarest first; one alone needs no second look."""
    if len(wanted) == 1:
        return []
    shares = [(sum(1 for one in sample if word.count(one.frequencies)) / len(sample), word) for word in wanted]
    rare = sorted((pair for pair in shares if pair[0] < _RARE_SHARE), key=lambda pair: pair[0])
    return [word for _, word in rare[:RARE_WORDS]]
