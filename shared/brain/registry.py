"""The agents, by their ids. The place to add one: its folder below agents/, and a line here."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from shared.brain.agent import BrainAgent
from shared.errors import NotFound


@cache
def agents() -> Mapping[str, BrainAgent]:
    """All agents, in the order of the documentation; read once, when first asked for."""
    known: tuple[BrainAgent, ...] = ()
    return {one.id: one for one in known}


def agent(agent_id: str) -> BrainAgent:
    """Raises NotFound, which names those there are."""
    found = agents().get(agent_id)
    if found is None:
        raise NotFound(f"There is no agent {agent_id!r}; there are: {', '.join(agents())}.")
    return found
