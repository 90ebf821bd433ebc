"""Recall as chat, clients and agents ask for it: what is found, with a word on how each bears on the question."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import cached_property

from shared.brain.agents.relevance_judge.annotating import annotated
from shared.brain.models import Roles
from shared.contracts.recall import RECALL_HITS, RecallAnswer
from shared.gateway.transport import Cut
from shared.memory.recall import Recall
from shared.store.workspace import WorkspaceStore


class Recalling:
    """In one workspace. Nothing is stored."""

    def __init__(self, store: Callable[[], WorkspaceStore], roles: Roles) -> None:
        self._store, self._roles = store, roles

    def recall(
        self,
        query: str,
        *,
        limit: int = RECALL_HITS,
        as_of: datetime | None = None,
        by_model: bool = False,
        cut: Cut | None = None,
    ) -> RecallAnswer:
        """As `shared.memory.recall.Recall.recall`, annotated: by a model where that is wanted and there is one.

        A model is waited for some seconds at most; without an answer the rule annotates. Raises InputError.
        """
        found = self._recall.recall(query, limit=limit, as_of=as_of)
        return annotated(query, found, self._roles.model("judge") if by_model else None, cut or Cut())

    @cached_property
    def _recall(self) -> Recall:
        return Recall(self._store(), self._roles.embedder)
