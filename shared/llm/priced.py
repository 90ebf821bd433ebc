"""A model whose usage says what it costs: by the list price of the one that answered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from shared.contracts.prices import priced
from shared.gateway.transport import Cut
from shared.llm.port import Answer, Capabilities, Delta, Model, ModelRequest, UsageDelta


class Priced:
    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def capabilities(self) -> Capabilities:
        return self._model.capabilities

    def stream(self, request: ModelRequest, cut: Cut) -> Iterator[Delta]:
        """See the port."""
        for delta in self._model.stream(request, cut):
            if isinstance(delta, Answer | UsageDelta):
                delta = replace(delta, usage=priced(delta.usage, self.name))
            yield delta
