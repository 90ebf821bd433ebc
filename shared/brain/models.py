"""Which role of the settings plays which class of agents; and the model as an agent gets it, which is counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from shared.brain.agent import ModelClass
from shared.contracts.operations import Usage
from shared.gateway.transport import Cut
from shared.llm.port import Answer, Delta, Embedder, Model, ModelRequest, Models, UsageDelta
from shared.llm.priced import Priced


class Roles:
    """The models of the settings by class. `by_rule` leaves them all out (BRAIN_MODELS=rules)."""

    def __init__(self, models: Callable[[], Models], *, by_rule: bool) -> None:
        self._models, self._by_rule = models, by_rule

    def model(self, wanted: ModelClass) -> Model | None:
        """None for a class without one: then its agents work by rule."""
        if self._by_rule or wanted in ("none", "embedding"):
            return None
        models = self._models()
        if wanted == "extraction":
            return models.enrich
        if wanted == "synthesis":
            return models.work
        return models.plan or models.work or models.chat

    def embedder(self) -> Embedder | None:
        """Every class may embed."""
        return None if self._by_rule else self._models().embed


class Metered(Priced):
    """A model whose answers are counted as they come, those that broke off as far as the service told."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.used = Usage()

    def stream(self, request: ModelRequest, cut: Cut) -> Iterator[Delta]:
        """As the model's own."""
        told = Usage()
        try:
            for delta in super().stream(request, cut):
                if isinstance(delta, Answer | UsageDelta):
                    told = delta.usage
                yield delta
        finally:
            self.used = self.used + told
