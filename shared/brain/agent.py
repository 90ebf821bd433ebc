"""What an agent of the brain is, what it is handed for a job, and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from shared.contracts.base import Model
from shared.contracts.jobs import JOB_ATTEMPTS, JOB_PRIORITY, MemoryJob
from shared.contracts.operations import Usage
from shared.gateway.transport import Cut
from shared.llm.port import Embedder
from shared.llm.port import Model as LanguageModel
from shared.store.streams import EventDraft
from shared.store.workspace import WorkspaceStore
from shared.store.writes import Write

ModelClass = Literal["extraction", "synthesis", "judge", "embedding", "none"]
"""What kind of model an agent wants: routes it to a role of the settings, and groups what it costs."""


@dataclass(frozen=True)
class Desk:
    """What an agent works with on one job. It writes only through its outcome, unless its own module says otherwise."""

    store: WorkspaceStore
    job: MemoryJob
    now: Callable[[], datetime]
    cut: Cut
    """Ends its model calls when the time of the job is up."""
    model: LanguageModel | None = None
    """Of the agent's class; None: work by rule."""
    embedder: Embedder | None = None


@dataclass(frozen=True)
class NewJob:
    """A job to be. Its idempotency key is the agent's own, of this input; `run_after` None is at once."""

    kind: str
    input: Mapping[str, Any]
    priority: int = JOB_PRIORITY
    run_after: datetime | None = None
    user: str = ""


@dataclass(frozen=True)
class Outcome:
    """What a job came to: all of it is one commit with the job's end.

    `output` is JSON of the agent's output model. With `batch`, the agents that depend on this one, directly or by
    others, get a job each in the batch, of the inputs given, each waiting for its parents of the batch.
    `counts` adds to the fields of AgentCounts of that name.
    """

    output: Mapping[str, Any]
    writes: tuple[Write, ...] = ()
    events: tuple[EventDraft, ...] = ()
    enqueue: tuple[NewJob, ...] = ()
    batch: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Agent id → the input of its job in this batch."""
    counts: Mapping[str, int] = field(default_factory=dict)
    usage: Usage = Usage()
    model: str = "rules"


def no_key(_: Any) -> str:
    """For agents whose jobs may be in flight any number of times."""
    return ""


@dataclass(frozen=True)
class BrainAgent:
    """One specialist. `id` never changes after a deploy; `reads`, `writes` and `depends_on` are what the picture of
    dependencies is drawn from; `emits` are the event types of its stream brain/{id}.

    `run(input, desk)` gives the outcome, or raises: InputError and ModelOutputError fail the attempt as any error does,
    Transient says so politely. `idempotency_key` is pure, of a validated input.
    """

    id: str
    description: str
    model_class: ModelClass
    input: type[Model]
    output: type[Model]
    run: Callable[[Any, Desk], Outcome]
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    emits: tuple[str, ...] = ()
    depends_on: tuple[str, ...] = ()
    idempotency_key: Callable[[Any], str] = no_key
    max_attempts: int = JOB_ATTEMPTS
    timeout_ms: int = 60_000
    batch_size: int = 1
    """How much of its input one question to the model, or one commit, takes in."""

    @property
    def input_schema(self) -> Mapping[str, Any]:
        return self.input.model_json_schema()

    @property
    def output_schema(self) -> Mapping[str, Any]:
        return self.output.model_json_schema()
