"""Summarises a document level by level; each job makes some summaries of one level and names the next job.

A summary keeps which pieces it covers, and its place is its id: a job that is done twice writes the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from shared.brain.agent import BrainAgent, Desk, NewJob, Outcome
from shared.brain.agents.tree_summarizer.schema import Answer, Input, Output
from shared.brain.asking import Question, asked, listed, prompt_beside
from shared.contracts.memory import TreeSummary
from shared.contracts.operations import Usage
from shared.llm.port import Model
from shared.search.passages import plain
from shared.store.summaries import writing

GROUP = 8
"""Pieces, or summaries of one level, to one summary of the next."""
AT_ONCE = 8
"""Summaries of one job."""
SUMMARY_CHARACTERS = 2_000
_OF_EACH = 160
_SECONDS = 35.0
_ENDS = re.compile(r"(?<=[.!?])\s")


def run(given: Input, desk: Desk) -> Outcome:
    """Raises NotFound for a document that is gone, ModelOutputError, Transient, and as `Model.stream` does."""
    desk.store.documents.get(given.document_id)
    below = _below(given, desk)
    more = len(below) > AT_ONCE * GROUP
    below = below[: AT_ONCE * GROUP]
    summaries, usage = list[TreeSummary](), Usage()
    for start in range(0, len(below), GROUP):
        group = below[start : start + GROUP]
        text, used = _summary([one for _, one in group], desk)
        usage += used
        n = given.first + start // GROUP
        covers = group[0][0], group[-1][0]
        summaries.append(
            TreeSummary(
                document_id=given.document_id, level=given.level, n=n, text=text, covers=covers, created_at=desk.now()
            )
        )
    done = given.first == 0 and len(summaries) <= 1
    output = Output(document_id=given.document_id, level=given.level, first=given.first, made=len(summaries), done=done)
    return Outcome(
        output.model_dump(),
        writes=tuple(map(writing, summaries)),
        enqueue=() if done else (_next(given, more),),
        usage=usage,
        model=desk.model.name if desk.model is not None else "rules",
    )


def _below(given: Input, desk: Desk) -> list[tuple[int, str]]:
    """What this job's summaries are made of, with its numbers, and one more where there is more."""
    first, limit = given.first * GROUP, AT_ONCE * GROUP + 1
    if given.level == 1:
        return [(one.n, one.text) for one in desk.store.chunks.numbered(given.document_id, first, limit)]
    found = desk.store.summaries.level(given.document_id, given.level - 1, first, limit)
    return [(one.n, one.text) for one in found]


def _next(given: Input, more: bool) -> NewJob:
    """The job that goes on with this level, or begins the one above."""
    level, first = (given.level, given.first + AT_ONCE) if more else (given.level + 1, 0)
    return NewJob("tree_summarizer", {"document_id": given.document_id, "level": level, "first": first})


def _summary(texts: Sequence[str], desk: Desk) -> tuple[str, Usage]:
    if desk.model is None:
        return by_rule(texts), Usage()
    return _by_model(desk.model, desk, texts)


def by_rule(texts: Sequence[str]) -> str:
    """The first sentence of each, cut."""
    flat = (plain(text[: _OF_EACH * 4], _OF_EACH * 3) for text in texts)
    return " ".join(plain(_ENDS.split(text, maxsplit=1)[0], _OF_EACH) for text in flat if text)[:SUMMARY_CHARACTERS]


def _by_model(model: Model, desk: Desk, texts: Sequence[str]) -> tuple[str, Usage]:
    rows = [({"n": n}, text) for n, text in enumerate(texts, 1)]
    said = asked(model, desk.cut, Question(prompt_beside(__file__), listed("piece", rows), Answer, seconds=_SECONDS))
    return said.value.summary.strip()[:SUMMARY_CHARACTERS], said.usage


def _key(given: Input) -> str:
    return f"{given.document_id}:{given.level}:{given.first}"


AGENT = BrainAgent(
    id="tree_summarizer",
    description="Summarises a document level by level, up to one summary of the whole.",
    model_class="synthesis",
    input=Input,
    output=Output,
    run=run,
    reads=("chunks", "summaries"),
    writes=("summaries",),
    depends_on=("source_chunker",),
    idempotency_key=_key,
    timeout_ms=300_000,
    batch_size=GROUP,
)
