"""The tool memory_provenance."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from shared.contracts.base import UtcDatetime
from shared.contracts.brain_api import TrailCritique, TrailItem, WhyAnswer
from shared.contracts.jobs import JobStatus, MemoryJob
from shared.contracts.memory import ItemStatus, Record, RecordStatus, SourceKind, SourceRef
from shared.mcp.tool import Answer, Caller, Camel, McpTool


class Arguments(Camel):
    record_id: Annotated[str, Field(min_length=1, max_length=1500)]


class Source(Answer):
    kind: SourceKind
    id: str
    session_id: str | None = None
    title: str
    start: int
    end: int
    """Characters of what it was said in, from 0."""
    quote: str
    said_by: str
    said_at: UtcDatetime


class Worker(Answer):
    """The job that did it."""

    job_id: str
    agent_id: str
    model: str
    status: JobStatus


class Critique(Answer):
    verdict: str
    reason: str
    target: str | None = None
    """The record or item that it was held against."""
    said_at: UtcDatetime
    by: Worker | None = None


class Step(Answer):
    """An item of the blackboard: what somebody put forward, what was said of it, what was decided."""

    item_id: str
    text: str
    status: ItemStatus
    reason: str
    confidence: float
    put_at: UtcDatetime
    decided_at: UtcDatetime | None = None
    by: Worker | None = None
    sources: tuple[Source, ...]
    critiques: tuple[Critique, ...]


class Related(Answer):
    record_id: str
    text: str
    status: RecordStatus


class Disputed(Answer):
    contradiction_id: str
    record_ids: tuple[str, ...]
    reason: str
    status: str
    kept: str | None = None


class Provenance(Answer):
    record: Related
    sources: tuple[Source, ...]
    trail: tuple[Step, ...]
    supersedes: tuple[Related, ...]
    superseded_by: Related | None = None
    contradictions: tuple[Disputed, ...]


def run(caller: Caller, arguments: Arguments) -> Provenance:
    """Why something is remembered: from the record to the items it was made of, the jobs that put them forward, every
    critique of them, and the places where it was said."""
    from shared.memory.why import why

    found = why(caller.store, arguments.record_id)
    return Provenance(
        record=_related(found.record),
        sources=tuple(map(_source, found.record.sources)),
        trail=tuple(map(_step, found.trail)),
        supersedes=tuple(map(_related, found.supersedes)),
        superseded_by=_related(found.superseded_by) if found.superseded_by is not None else None,
        contradictions=_disputed(found),
    )


def _step(step: TrailItem) -> Step:
    item = step.item
    return Step(
        item_id=item.id,
        text=str(item.payload.get("text", "")),
        status=item.status,
        reason=item.reason,
        confidence=item.confidence,
        put_at=item.created_at,
        decided_at=item.decided_at,
        by=_worker(step.job),
        sources=tuple(map(_source, item.evidence_refs)),
        critiques=tuple(map(_critique, step.critiques)),
    )


def _critique(critique: TrailCritique) -> Critique:
    payload: Any = critique.item.payload
    return Critique(
        verdict=str(payload.get("verdict", critique.item.kind.value)),
        reason=str(payload.get("reason", "")),
        target=payload.get("target"),
        said_at=critique.item.created_at,
        by=_worker(critique.job),
    )


def _worker(job: MemoryJob | None) -> Worker | None:
    return None if job is None else Worker(job_id=job.id, agent_id=job.kind, model=job.model, status=job.status)


def _source(source: SourceRef) -> Source:
    return Source(**{name: getattr(source, name) for name in Source.model_fields})


def _related(record: Record) -> Related:
    return Related(record_id=record.id, text=record.text, status=record.status)


def _disputed(found: WhyAnswer) -> tuple[Disputed, ...]:
    return tuple(
        Disputed(
            contradiction_id=one.id,
            record_ids=one.record_ids,
            reason=one.reason,
            status=one.status.value,
            kept=one.kept,
        )
        for one in found.contradictions
    )


TOOL = McpTool("memory_provenance", "Why something is remembered", Arguments, Provenance, run)
