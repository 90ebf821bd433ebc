"""An embedding model of an OpenAI-compatible server behind the port."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from shared.errors import ModelOutputError
from shared.gateway.transport import Cut
from shared.llm.bounded import bounded
from shared.llm.openai_compat.service import MOST_BYTES, Service, parsed
from shared.llm.retries import EMBEDDING, Retries
from shared.llm.vectors import unit_vectors

_SECONDS = 60.0
_BATCH = 32


class OpenAiEmbedder:
    """`query_prefix` and `text_prefix` stand before what is embedded, where a model was trained with such words."""

    def __init__(
        self,
        service: Service,
        name: str,
        *,
        query_prefix: str = "",
        text_prefix: str = "",
        retries: Retries = EMBEDDING,
    ) -> None:
        self.name = name
        self._service, self._retries = service, retries
        self._query_prefix, self._text_prefix = query_prefix, text_prefix

    def embed(self, texts: Sequence[str], *, query: bool = False, cut: Cut | None = None) -> list[list[float]]:
        """See the port."""
        prefix = self._query_prefix if query else self._text_prefix
        given = [prefix + text for text in texts]
        found: list[list[float]] = []
        for start in range(0, len(given), _BATCH):
            found += self._batch(given[start : start + _BATCH], cut or Cut())
        return unit_vectors(found, len(texts), self.name)

    def _batch(self, texts: Sequence[str], cut: Cut) -> list[list[float]]:
        body = {"model": self.name, "input": list(texts), "encoding_format": "float"}

        def once(handle: Cut) -> Iterator[dict[str, Any]]:
            with self._service.post("/embeddings", body, self.name, handle, _SECONDS) as answer:
                yield parsed(answer.body(MOST_BYTES), self.name)

        (value,) = bounded(once, retries=self._retries, deadline_seconds=_SECONDS, cut=cut)
        return self._vectors(value)

    def _vectors(self, value: dict[str, Any]) -> list[list[float]]:
        try:
            rows = sorted(value["data"], key=lambda row: row["index"])
            return [[float(number) for number in row["embedding"]] for row in rows]
        except (KeyError, TypeError, ValueError) as error:
            raise ModelOutputError(f"The embeddings of {self.name} cannot be read.") from error
