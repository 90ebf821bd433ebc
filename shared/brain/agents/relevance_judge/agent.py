"""Recalls and annotates; the answer is the job's output, and nothing is stored beside it."""

from __future__ import annotations

from shared.brain.agent import BrainAgent, Desk, Outcome
from shared.brain.agents.relevance_judge.annotating import annotated
from shared.brain.agents.relevance_judge.schema import Hit, Input, Output
from shared.contracts.recall import RecallHit
from shared.memory.recall import Recall

_TEXT = 600


def run(given: Input, desk: Desk) -> Outcome:
    """Raises InputError for a query that is too long, Transient."""
    found = Recall(desk.store, lambda: desk.embedder).recall(given.query, limit=given.limit, as_of=given.as_of)
    answer = annotated(given.query, found, desk.model, desk.cut)
    output = Output(hits=tuple(map(_shown, answer.hits)), judged_by=answer.judged_by, looked_at=answer.looked_at)
    return Outcome(output.model_dump(), usage=answer.usage, model=answer.judged_by)


def _shown(hit: RecallHit) -> Hit:
    return Hit(
        record_id=hit.record.id,
        text=hit.record.text[:_TEXT],
        relevant=hit.relevant,
        annotation=hit.annotation,
        links=tuple(one.link for one in hit.links),
    )


AGENT = BrainAgent(
    id="relevance_judge",
    description="Says of each recalled record whether and how it bears on the question; stores nothing.",
    model_class="judge",
    input=Input,
    output=Output,
    run=run,
    reads=("records", "nodes", "edges"),
    writes=(),
    timeout_ms=30_000,
)
