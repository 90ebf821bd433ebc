"""The brain of a world with agents of the test's own, drained by the real workflow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from shared import bootstrap
from shared.brain.agent import BrainAgent, Desk, Outcome
from shared.brain.service import Brain
from shared.contracts.base import Model
from tests.e2e.world import WORKSPACE, World


class Anything(Model):
    """Whatever the senses give to an agent."""

    source: Mapping[str, Any] = {}
    revision: str = ""
    forget: Mapping[str, Any] = {}
    document_id: str = ""


class Said(Model):
    text: str = ""


Run = Callable[[Anything, Desk], Outcome]


def agent(name: str, run: Run, *, max_attempts: int = 3, depends_on: tuple[str, ...] = ()) -> BrainAgent:
    return BrainAgent(
        id=name,
        description=name,
        model_class="none",
        input=Anything,
        output=Said,
        run=run,
        reads=(),
        writes=(),
        depends_on=depends_on,
        idempotency_key=lambda given: given.model_dump_json(),
        max_attempts=max_attempts,
    )


def play(*agents: BrainAgent) -> Brain:
    """Let these agents be the brain's from now on."""
    app = bootstrap.app()
    ports = replace(app.brain.ports, agents=lambda: {one.id: one for one in agents})
    brain = Brain(ports)
    vars(app)["brain"] = brain
    return brain


def stored_jobs(world: World) -> list[dict[str, Any]]:
    """Every job document, oldest first, read past the product."""
    found = [doc.to_dict() or {} for doc in world.firestore.collection(f"workspaces/{WORKSPACE}/memory_jobs").stream()]
    return sorted(found, key=lambda fields: fields["created_at"])


def drain_lease(world: World) -> dict[str, Any]:
    return world.firestore.document(f"workspaces/{WORKSPACE}/leases/brain-drain").get().to_dict() or {}
