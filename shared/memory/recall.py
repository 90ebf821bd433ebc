"""Recall: terms, vectors and the graph, fused; filtered to what holds now, or held at a moment; each with its sources.

What is read is bounded by READS, however many records there are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from shared.contracts.memory import Record
from shared.contracts.recall import RECALL_HITS, RECALL_HITS_MAX, RecallAnswer, RecallHit
from shared.llm.port import Embedder
from shared.memory import neighbours
from shared.memory.links import links_of
from shared.search.candidates import (
    CANDIDATES,
    HEADED_CANDIDATES,
    NEAR_CANDIDATES,
    RARE_CANDIDATES,
    RARE_WORDS,
    by_meaning,
    by_words,
)
from shared.search.languages import LANGUAGES
from shared.search.query import Wanted, parsed
from shared.search.ranking import best_first, bm25, fused
from shared.search.stems import stems
from shared.search.words import words
from shared.store.note_index import Candidate
from shared.store.record_search import Held
from shared.store.workspace import WorkspaceStore

PINNED = 20
SPARE = 10
"""So many more records than are wanted are read, and once more as many: some of those found do not hold."""
_GRAPH_SHARE = 0.5
"""A record that only lies near counts half of one that has the words or the meaning."""
READS = (
    CANDIDATES
    + HEADED_CANDIDATES
    + RARE_CANDIDATES * RARE_WORDS
    + NEAR_CANDIDATES
    + PINNED
    + neighbours.READS
    + 2 * RECALL_HITS_MAX
    + SPARE
)
"""Documents that one recall reads at most."""


class Recall:
    """`embedder` gives None where no model plays `embed`: then words and the graph decide."""

    def __init__(self, store: WorkspaceStore, embedder: Callable[[], Embedder | None] = lambda: None) -> None:
        self._store, self._embedder = store, embedder

    def recall(self, query: str, *, limit: int = RECALL_HITS, as_of: datetime | None = None) -> RecallAnswer:
        """Records that bear on the query: pinned ones first, then the best; excluded and retracted ones never.

        Without `as_of` those that are current, with it those that held then. Raises InputError for a query that is too
        long.
        """
        wanted, held, search = parsed(query), Held(as_of), self._store.record_search
        if not wanted:
            return RecallAnswer(hits=(), message="There is no word in this to look for: give one.")
        pinned = search.pinned(held, PINNED)
        found = by_words(wanted, lambda terms, most: search.with_terms(terms, held, most))
        near = by_meaning(query, self._embedder, lambda at, far, most: search.near(at, held, far, most))
        beside = neighbours.neighbours(self._store.graph, query)
        scores = _scores(wanted, [*pinned, *found.values()], near, beside.record_ids)
        first = {one.id for one in pinned}
        names = sorted(best_first(scores), key=lambda name: name not in first)[: 2 * limit + SPARE]
        records = search.several(names)
        linked = set(beside.record_ids)
        found_hits = (
            _hit(records[name], scores[name], wanted, name in linked) for name in names if _holds(records, name, held)
        )
        looked_at = len(pinned) + len(found) + len(near) + beside.read + len(names)
        return RecallAnswer(hits=tuple(found_hits)[:limit], as_of=as_of, looked_at=looked_at)


def _scores(
    wanted: Sequence[Wanted], candidates: Sequence[Candidate], near: Sequence[Candidate], beside: Sequence[str]
) -> dict[str, float]:
    worded = best_first(bm25(wanted, list({one.id: one for one in candidates}.values())))
    scores = fused(worded, [one.id for one in near])
    for name, score in fused(beside).items():
        scores[name] = scores.get(name, 0.0) + _GRAPH_SHARE * score
    return scores


def _holds(records: Mapping[str, Record], name: str, held: Held) -> bool:
    return name in records and held.allows(records[name])


def matched(record: Record, wanted: Sequence[Wanted]) -> tuple[str, ...]:
    """The words of a query that the record has in any form."""
    said = " ".join((record.subject, record.property, record.object, record.text))
    there = {stem for word in dict.fromkeys(words(said)) for stem in stems(word, LANGUAGES)}
    return tuple(one.word for one in wanted if there.intersection(one.stems))


def _hit(record: Record, score: float, wanted: Sequence[Wanted], linked: bool) -> RecallHit:
    return RecallHit(
        record=record,
        score=round(score, 6),
        matched=matched(record, wanted),
        linked=linked,
        links=links_of(record.sources),
    )
