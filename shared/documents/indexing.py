"""What the pieces of a document are found by: the words of each, those of the document's name, and its meaning."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence

from shared.contracts.documents import Chunk, ChunkIndex, Document
from shared.errors import MemexError, SpendingPaused
from shared.llm.port import Embedder
from shared.search.terms import terms_of
from shared.store.chunks import writing
from shared.store.writes import Write

log = logging.getLogger(__name__)

_AT_ONCE = 20
_APART = re.compile(r"[_\-.]+")


def indexed(document: Document, chunks: Sequence[Chunk], embedder: Callable[[], Embedder | None]) -> tuple[Write, ...]:
    """The writes of these pieces and their index. Without a model's vectors they are found by their words.

    Raises SpendingPaused.
    """
    vectors, model = _embedded(chunks, embedder)
    title = _APART.sub(" ", document.name.rpartition(".")[0] or document.name)
    writes: list[Write] = []
    for chunk, vector in zip(chunks, vectors, strict=True):
        terms = terms_of(title, chunk.text, ())
        index = ChunkIndex(
            document_id=chunk.document_id,
            n=chunk.n,
            created_at=document.created_at,
            terms=terms.terms,
            frequencies=terms.frequencies,
            length=terms.length,
            embedding_model=model if vector is not None else "",
        )
        writes += writing(chunk, index, vector)
    return tuple(writes)


def _embedded(chunks: Sequence[Chunk], embedder: Callable[[], Embedder | None]) -> tuple[list[list[float] | None], str]:
    try:
        model = embedder()
        if model is not None:
            vectors: list[list[float] | None] = []
            for at in range(0, len(chunks), _AT_ONCE):
                vectors += model.embed([one.text for one in chunks[at : at + _AT_ONCE]])
            return vectors, model.name
    except SpendingPaused:
        raise  # it waits: what is stored without is never embedded
    except MemexError as error:
        log.warning("a slice has no embeddings: %s", error.message)
    return [None for _ in chunks], ""
