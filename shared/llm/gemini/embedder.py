"""A Gemini embedding model behind the port."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from google.genai import types

from shared.gateway.transport import Cut
from shared.llm.bounded import bounded
from shared.llm.gemini.service import Service
from shared.llm.retries import EMBEDDING, Retries
from shared.llm.vectors import unit_vectors

_SECONDS = 30.0
_BATCH = 50


class GeminiEmbedder:
    """Vectors of `dimensions` numbers; a shortened one is not of unit length as it comes, so it is made so."""

    def __init__(
        self,
        service: Service,
        name: str,
        dimensions: int,
        retries: Retries = EMBEDDING,
    ) -> None:
        self.name = name
        self._service, self._dimensions, self._retries = service, dimensions, retries

    def embed(self, texts: Sequence[str], *, query: bool = False, cut: Cut | None = None) -> list[list[float]]:
        """See the port."""
        task = "RETRIEVAL_QUERY" if query else "RETRIEVAL_DOCUMENT"
        config = types.EmbedContentConfig(task_type=task, output_dimensionality=self._dimensions)
        size = _BATCH if self._service.access.api_key else 1  # Vertex takes one text at a time
        found: list[list[float]] = []
        for start in range(0, len(texts), size):
            found += self._batch(texts[start : start + size], config, cut or Cut())
        return unit_vectors(found, len(texts), self.name)

    def _batch(self, texts: Sequence[str], config: types.EmbedContentConfig, cut: Cut) -> list[list[float]]:
        def once(handle: Cut) -> Iterator[list[list[float]]]:
            with self._service.call(handle, self.name) as call:
                models = self._service.models
                answer = call.send(lambda: models.embed_content(model=self.name, contents=list(texts), config=config))
                yield [list(embedding.values or ()) for embedding in answer.embeddings or ()]

        (vectors,) = bounded(once, retries=self._retries, deadline_seconds=_SECONDS, cut=cut)
        return vectors
