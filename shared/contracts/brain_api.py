"""What is asked of the brain over HTTP, and what it answers: shared by the API, the command line and MCP."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, StrictBool, StringConstraints, field_validator, model_validator

from shared.contracts.base import Model, UtcDatetime
from shared.contracts.jobs import JOB_INPUT_BYTES, JOB_PRIORITY, MemoryJob
from shared.contracts.memory import BlackboardItem, Contradiction, Edge, Focus, Identity, Node, Record, Topic
from shared.contracts.recall import SourceLink

RECALL_CHARACTERS = 500
GRAPH_NODES = 150
GRAPH_NODES_MAX = 500
GRAPH_HOPS = 2
GRAPH_HOPS_MAX = 3


class JobCounts(Model):
    """How many jobs are in each state."""

    pending: int = 0
    running: int = 0
    done: int = 0
    failed: int = 0
    cancelled: int = 0


class AgentStatus(JobCounts):
    """One agent, and how its jobs fare."""

    id: str
    description: str
    model_class: str
    model: str = ""
    """Which model its last job used: "rules" where none did, "" before there was one."""
    last_run_at: UtcDatetime | None = None
    success_rate: float | None = None
    """Of the jobs that ended, from 0 to 1 those that were done; None before one ended."""
    refusal_rate: float | None = None
    """Of the candidates that it decided on, from 0 to 1 those that were refused; None without any."""
    depends_on: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    emits: tuple[str, ...] = ()


class AgentsAnswer(Model):
    """GET /api/v1/brain/agents: a bounded number of reads, however many jobs there are."""

    agents: tuple[AgentStatus, ...]
    jobs: JobCounts = JobCounts()
    """Of all agents together."""


def _within(given: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        size = len(json.dumps(given, ensure_ascii=False, allow_nan=False).encode())
    except (ValueError, TypeError, RecursionError) as error:
        raise ValueError("must be JSON: no NaN, no lone surrogates, not too deep") from error
    if size > JOB_INPUT_BYTES:
        raise ValueError(f"{size} bytes of JSON are too many, {JOB_INPUT_BYTES} at most: name things by their ids")
    return given


class JobCreate(Model):
    """POST /api/v1/brain/agents/{id}/run: a job for that agent."""

    input: Mapping[str, Any] = Field(default_factory=dict)
    """As the agent's own schema has it."""
    priority: Annotated[int, Field(ge=0, le=100)] = JOB_PRIORITY
    """The higher is worked on sooner."""

    @field_validator("input")
    @classmethod
    def _bounded(cls, given: Mapping[str, Any]) -> Mapping[str, Any]:
        return _within(given)


class JobAnswer(Model):
    """A job; where one was asked for that is in flight already, that one."""

    job: MemoryJob


class JobsAnswer(Model):
    """Newest first."""

    jobs: tuple[MemoryJob, ...]
    next_cursor: str | None = None


class JobChangeAnswer(Model):
    """POST …/jobs/{id}/retry and /cancel. `changed` is False where there was nothing to change; `message` says why."""

    job: MemoryJob
    changed: bool
    message: str


class RecordView(Record):
    """A record; where it was recalled, also how it fits what was asked for."""

    matched: tuple[str, ...] = ()
    """The words of the query that are in it."""
    relevant: bool | None = None
    """Whether it bears on the query; None where nobody has judged."""
    annotation: str = ""
    """How it does, or why it does not."""
    links: tuple[SourceLink, ...] = ()
    """Its newest sources, as links of the page."""
    score: float | None = None
    """Orders the records of one answer and means nothing else."""


class RecordsAnswer(Model):
    """Newest first; with `q`, the best first."""

    records: tuple[RecordView, ...]
    next_cursor: str | None = None
    message: str = ""
    """What there is to say of a recall that found nothing."""


class RecordAnswer(Model):
    record: Record


class RecordPatch(Model):
    """PATCH /api/v1/brain/records/{id}: a person's word on how it is recalled; only what is given changes."""

    pinned: StrictBool | None = None
    excluded: StrictBool | None = None

    @model_validator(mode="after")
    def _something(self) -> RecordPatch:
        if self.pinned is None and self.excluded is None:
            raise ValueError("give pinned or excluded, true or false")
        return self


class TrailCritique(Model):
    """What was said of an item, and the job that said it; a job may be gone."""

    item: BlackboardItem
    job: MemoryJob | None = None


class TrailItem(Model):
    """An item of the blackboard that a record comes from, the job that put it there, and all that was said of it."""

    item: BlackboardItem
    job: MemoryJob | None = None
    critiques: tuple[TrailCritique, ...] = ()


class WhyAnswer(Model):
    """GET /api/v1/brain/records/{id}/why: why something is remembered; its sources are the record's own."""

    record: Record
    trail: tuple[TrailItem, ...]
    """The item it was made of, then those that were merged into it."""
    supersedes: tuple[Record, ...] = ()
    superseded_by: Record | None = None
    contradictions: tuple[Contradiction, ...] = ()


class BlackboardAnswer(Model):
    """The last one decided, or put, first."""

    items: tuple[BlackboardItem, ...]
    next_cursor: str | None = None


class ContradictionView(Contradiction):
    """With its records, as far as they are still there."""

    records: tuple[Record, ...] = ()


class ContradictionsAnswer(Model):
    """Newest first."""

    contradictions: tuple[ContradictionView, ...]
    next_cursor: str | None = None


class Settle(Model):
    """POST /api/v1/brain/contradictions/{id}/settle. `keep` null: both stay, they are no contradiction after all."""

    keep: Annotated[str, StringConstraints(min_length=1, max_length=1500)] | None


class ContradictionAnswer(Model):
    contradiction: ContradictionView


class GraphAnswer(Model):
    """People, places and things, and what the records say of two of them."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    truncated: bool = False
    """There are more than were asked for."""


class FocusAnswer(Model):
    """GET /api/v1/brain/focus: what the person is at, who they are, and what their records are about."""

    focus: Focus | None = None
    identity: Identity | None = None
    topics: tuple[Topic, ...] = ()
