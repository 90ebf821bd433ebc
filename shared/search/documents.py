"""Searching the documents of a workspace: passages, ranked as notes are, with their document and page."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shared.contracts.documents import Chunk, DocumentHit, DocumentSearchAnswer
from shared.llm.port import Embedder
from shared.search.candidates import by_meaning, by_words
from shared.search.passages import passage
from shared.search.query import Wanted, parsed
from shared.search.ranking import best_first, bm25, fused
from shared.store.workspace import WorkspaceStore

PASSAGES_OF_ONE = 5
"""So many of one document at most, where all are searched, so that a long one does not hide the others."""


class DocumentSearch:
    """`embedder` gives None where no model plays `embed`: then words alone decide."""

    def __init__(self, store: WorkspaceStore, embedder: Callable[[], Embedder | None] = lambda: None) -> None:
        self._store, self._embedder = store, embedder

    def search(self, query: str, *, limit: int, document_id: str | None = None) -> DocumentSearchAnswer:
        """Passages that fit, the best first, of all documents or of one.

        Raises InputError for a query without words, NotFound for a document that is not there.
        """
        wanted, chunks = parsed(query), self._store.chunks
        if document_id is not None:
            self._store.documents.get(document_id)
        found = by_words(wanted, lambda terms, most: chunks.with_terms(terms, most, document_id))
        near = by_meaning(query, self._embedder, lambda at, far, most: chunks.near(at, far, most, document_id))
        scored = bm25(wanted, list(found.values()))
        scores = fused(best_first(scored), [one.id for one in near]) if near else scored
        names = best_first(scores)
        if document_id is None:
            names = _spread(names)
        hits = self._hits(names[:limit], scores, wanted)
        return DocumentSearchAnswer(hits=tuple(hits), looked_at=len(found.keys() | {one.id for one in near}))

    def _hits(self, names: Sequence[str], scores: dict[str, float], wanted: Sequence[Wanted]) -> list[DocumentHit]:
        chunks = self._store.chunks.named(names)
        documents = self._store.documents.several(list({one.document_id for one in chunks.values()}))
        there = [(name, chunks[name]) for name in names if name in chunks]
        return [
            _hit(chunk, documents[chunk.document_id].name, scores[name], wanted)
            for name, chunk in there
            if chunk.document_id in documents
        ]


def _spread(names: Sequence[str]) -> list[str]:
    """The ids without those beyond PASSAGES_OF_ONE of a document."""
    seen: dict[str, int] = {}
    kept = []
    for name in names:
        document_id = name.rpartition("-")[0]
        seen[document_id] = seen.get(document_id, 0) + 1
        if seen[document_id] <= PASSAGES_OF_ONE:
            kept.append(name)
    return kept


def _hit(chunk: Chunk, name: str, score: float, wanted: Sequence[Wanted]) -> DocumentHit:
    best = passage(chunk.text, wanted)
    in_name = passage(name, wanted).matched
    return DocumentHit(
        document_id=chunk.document_id,
        name=name,
        page=chunk.page,
        offset=chunk.offset,
        excerpt=best.text,
        score=round(score, 6),
        matched=tuple(word.word for word in wanted if word.word in best.matched or word.word in in_name),
    )
