"""What else costs money: research runs and searches of the web. Each asks the switch for spending, and is a span."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from shared.errors import Transient
from shared.gateway.interactions import Interaction, InteractionError, Interactions
from shared.gateway.search.port import Found, SearchProvider
from shared.gateway.transport import Cut
from shared.telemetry import genai
from shared.telemetry.spans import span

Gate = Callable[[], None]
"""Raises SpendingPaused while the workspace that is worked for may spend nothing."""


class PaidInteractions:
    """Only to begin a run costs money: one that is under way is looked at, and cancelled, whatever the switch says."""

    def __init__(self, interactions: Interactions, gate: Gate, provider: str) -> None:
        self._interactions, self._gate, self._provider = interactions, gate, provider

    def create(self, body: Mapping[str, Any], *, deadline_seconds: float) -> str:
        """See Interactions.create. While spending is paused, or nobody can tell, nothing is sent (InteractionError)."""
        try:
            self._gate()
        except Transient as unsent:
            raise InteractionError(unsent.code, unsent.message, sent=False) from unsent
        with genai.agent_call(self._provider, str(body.get("agent", ""))):
            return self._interactions.create(body, deadline_seconds=deadline_seconds)

    def get(self, interaction_id: str) -> Interaction:
        """See Interactions.get."""
        with span("GET interaction", "client"):
            return self._interactions.get(interaction_id)

    def cancel(self, interaction_id: str) -> None:
        """See Interactions.cancel."""
        with span("POST interaction cancel", "client"):
            self._interactions.cancel(interaction_id)


class PaidSearch:
    def __init__(self, provider: SearchProvider, gate: Gate) -> None:
        self._provider, self._gate = provider, gate

    def search(self, query: str, recency_days: int | None, cut: Cut) -> Found:
        """See SearchProvider.search. Raises SpendingPaused besides."""
        self._gate()
        with span("search the web", "client") as one:
            found = self._provider.search(query, recency_days, cut)
            one.set({"memex.search.provider": found.provider, "memex.search.hits": len(found.hits)})
            return found
