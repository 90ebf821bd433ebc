"""What a model costs money through: every call asks the switch for spending before it is sent, and is a span."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from shared.contracts.prices import input_tokens, output_tokens
from shared.gateway.transport import Cut
from shared.llm.port import Answer, Capabilities, Delta, Embedder, Model, ModelRequest
from shared.telemetry import genai

Gate = Callable[[], None]
"""Raises SpendingPaused while the workspace that is worked for may spend nothing."""


class PaidModel:
    """`provider` as the semantic conventions name it."""

    def __init__(self, model: Model, gate: Gate, provider: str) -> None:
        self._model, self._gate, self._provider = model, gate, provider

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def capabilities(self) -> Capabilities:
        return self._model.capabilities

    def stream(self, request: ModelRequest, cut: Cut) -> Iterator[Delta]:
        """See the port. Raises SpendingPaused besides."""
        self._gate()
        return self._streamed(request, cut)

    def _streamed(self, request: ModelRequest, cut: Cut) -> Iterator[Delta]:
        with genai.model_call(self._provider, self.name) as span:
            for delta in self._model.stream(request, cut):
                if isinstance(delta, Answer):
                    used = delta.usage
                    span.set(genai.usage(self.name, input_tokens(used), output_tokens(used)))
                yield delta


class PaidEmbedder:
    def __init__(self, embedder: Embedder, gate: Gate, provider: str) -> None:
        self._embedder, self._gate, self._provider = embedder, gate, provider

    @property
    def name(self) -> str:
        return self._embedder.name

    def embed(self, texts: Sequence[str], *, query: bool = False, cut: Cut | None = None) -> list[list[float]]:
        """See the port. Raises SpendingPaused besides."""
        self._gate()
        with genai.embedding_call(self._provider, self.name):
            return self._embedder.embed(texts, query=query, cut=cut)
