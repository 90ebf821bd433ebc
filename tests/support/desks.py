"""A job's desk for one agent, without a queue; and what follows from an outcome applied as the queue would."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared.brain.agent import BrainAgent, Desk, Outcome
from shared.contracts.jobs import MemoryJob
from shared.gateway.transport import Cut
from shared.llm.port import Embedder, Model
from shared.store.database import Database
from shared.store.workspace import WorkspaceStore
from tests.support.seams import FakeClock


def a_desk(
    store: WorkspaceStore, clock: FakeClock, model: Model | None = None, embedder: Embedder | None = None
) -> Desk:
    now = clock.now()
    job = MemoryJob(id="job-1", kind="test", run_after=now, created_at=now, updated_at=now)
    return Desk(store, job, clock.now, Cut(), model, embedder)


def worked(agent: BrainAgent, given: Mapping[str, Any], desk: Desk, database: Database) -> Outcome:
    """Run the agent as the queue does: input and output are of its models, and its writes are one commit."""
    outcome = agent.run(agent.input.model_validate(given), desk)
    agent.output.model_validate(outcome.output)
    if outcome.writes:
        database.commit(outcome.writes, "test")
    return outcome
