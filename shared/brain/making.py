"""A job to be, as the document that it becomes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from shared.brain.agent import BrainAgent, NewJob
from shared.contracts.base import Model
from shared.contracts.jobs import JOB_INPUT_BYTES, MemoryJob
from shared.errors import InputError, NotFound
from shared.invalid import problems
from shared.store import paths
from shared.store.writes import Write, create

PRIORITY_MOST = 100


@dataclass(frozen=True)
class Made:
    """The one who makes a job: the job that asks for it, and the batch that it belongs to."""

    id: str
    now: datetime
    parent: MemoryJob | None = None
    batch_id: str = ""


def known(agents: Mapping[str, BrainAgent], kind: str) -> BrainAgent:
    """Raises NotFound, which names those there are."""
    found = agents.get(kind)
    if found is None:
        raise NotFound(f"There is no agent {kind!r}; there are: {', '.join(agents)}.")
    return found


def job_of(agent: BrainAgent, new: NewJob, made: Made) -> MemoryJob:
    """The job. Raises InputError for an input that the agent does not take, or a priority that is none."""
    if not 0 <= new.priority <= PRIORITY_MOST:
        raise InputError(f"priority: 0 to {PRIORITY_MOST}.", field="priority")
    taken = input_of(agent, new.input)
    fields = bounded(plain(taken, "input"), "input", JOB_INPUT_BYTES)
    return MemoryJob(
        id=made.id,
        kind=agent.id,
        priority=new.priority,
        max_attempts=agent.max_attempts,
        run_after=max(new.run_after or made.now, made.now),
        batch_id=made.batch_id,
        parent_job_id=made.parent.id if made.parent is not None else None,
        idempotency_key=agent.idempotency_key(taken),
        user=new.user or (made.parent.user if made.parent is not None else ""),
        input=fields,
        created_at=made.now,
        updated_at=made.now,
    )


def input_of(agent: BrainAgent, given: Mapping[str, Any]) -> Model:
    """The input as the agent's own model. Raises InputError that names the first wrong field."""
    try:
        return agent.input.model_validate(dict(given))
    except ValidationError as error:
        field, message = problems(error, within="input")[0]
        raise InputError(f"{field}: {message}. {agent.id} takes: {_shape(agent)}.", field=field) from error


def plain(value: Model, what: str) -> Mapping[str, Any]:
    """A model's fields as JSON has them. Raises InputError for what JSON does not have."""
    try:
        return value.model_dump(mode="json")
    except ValueError as error:
        raise InputError(f"The {what} is no JSON: {str(error)[:200]}", field=what) from error


def bounded(fields: Mapping[str, Any], what: str, most: int) -> Mapping[str, Any]:
    """The fields again. Raises InputError where they are no JSON, or too long to be stored."""
    try:
        size = len(json.dumps(fields, ensure_ascii=False, allow_nan=False).encode())
    except (ValueError, TypeError, RecursionError) as error:
        raise InputError(f"The {what} is no JSON: no NaN, no half of a character, not too deep.", field=what) from error
    if size > most:
        raise InputError(f"The {what} has {size:,} bytes as JSON; {most:,} may be.", field=what)
    return fields


def creating(job: MemoryJob) -> Write:
    return create(paths.memory_job(job.id), job.model_dump())


def _shape(agent: BrainAgent) -> str:
    return ", ".join(agent.input.model_fields) or "nothing"
