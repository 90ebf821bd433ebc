"""Ranking: BM25 over candidates, and the fusion of several rankings by their ranks alone.

BM25 as in Robertson and Zaragoza, The Probabilistic Relevance Framework (2009); fusion as in Cormack, Clarke and
Buettcher, Reciprocal Rank Fusion (SIGIR 2009), with their constant of 60.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from shared.search.query import Wanted
from shared.store.note_index import Candidate

_K1, _B = 1.2, 0.75
_NOTES = 10_000
"""How many notes there are is not asked for: the weights of words in one query hardly depend on it."""
_FUSION = 60


def bm25(wanted: Sequence[Wanted], candidates: Sequence[Candidate]) -> dict[str, float]:
    """The score of each candidate that has any of the words, by id.

    How rare a word is is judged among the candidates.
    """
    counts = {one.id: [word.count(one.frequencies) for word in wanted] for one in candidates}
    having = [sum(1 for found in counts.values() if found[at]) for at in range(len(wanted))]
    weights = [math.log(1 + (_NOTES - number + 0.5) / (number + 0.5)) for number in having]
    usual = sum(one.length for one in candidates) / max(1, len(candidates)) or 1.0
    scores = {one.id: _score(counts[one.id], weights, one.length / usual) for one in candidates}
    return {name: score for name, score in scores.items() if score > 0}


def _score(counts: Sequence[int], weights: Sequence[float], length: float) -> float:
    damped = _K1 * (1 - _B + _B * length)
    return sum(weight * count * (_K1 + 1) / (count + damped) for count, weight in zip(counts, weights, strict=True))


def fused(*rankings: Sequence[str]) -> dict[str, float]:
    """One score for each id of any ranking (best first), the better the nearer to the top it is in each."""
    scores: dict[str, float] = {}
    for ranking in rankings:
        for place, name in enumerate(ranking, 1):
            scores[name] = scores.get(name, 0.0) + 1 / (_FUSION + place)
    return scores


def best_first(scores: Mapping[str, float]) -> list[str]:
    """The ids by score; equal ones by id, so that the same notes always give the same order."""
    return sorted(scores, key=lambda name: (-scores[name], name))
