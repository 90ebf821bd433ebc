"""The answer of recall with a word on each record; nothing is stored."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from shared.brain.agents.relevance_judge.rules import judged
from shared.brain.agents.relevance_judge.schema import Answer, Judgement
from shared.brain.asking import Question, asked, fenced, listed, prompt_beside
from shared.contracts.memory import Record
from shared.contracts.operations import Usage
from shared.contracts.recall import RecallAnswer
from shared.errors import MemexError
from shared.gateway.transport import Cut
from shared.llm.port import Model

log = logging.getLogger(__name__)

SECONDS = 8.0
"""A recall waits no longer for an answer of the model, of which there may be two: then it is annotated by rule."""
_WHY = 300


def annotated(query: str, answer: RecallAnswer, model: Model | None, cut: Cut) -> RecallAnswer:
    """Each hit with whether it bears on the query and why; by rule without a model, or where it gives no answer."""
    if model is None or not answer.hits:
        return _with(answer, {}, query, "rules", Usage())
    try:
        said = asked(model, cut, Question(prompt_beside(__file__), _shown(query, answer), Answer, seconds=SECONDS))
    except MemexError as error:
        log.warning("relevance is judged by rule: %s", error.message)
        return _with(answer, {}, query, "rules", Usage())
    return _with(answer, {one.id: one for one in said.value.judgements}, query, model.name, said.usage)


def _with(
    answer: RecallAnswer, known: Mapping[str, Judgement], query: str, judged_by: str, usage: Usage
) -> RecallAnswer:
    hits = []
    for hit in answer.hits:
        one = known.get(hit.record.id) or judged(query, hit, answer.as_of)
        why = " ".join(one.why.split())[:_WHY]
        hits.append(hit.model_copy(update={"relevant": one.relevant, "annotation": why}))
    return answer.model_copy(update={"hits": tuple(hits), "judged_by": judged_by, "usage": usage})


def _shown(query: str, answer: RecallAnswer) -> str:
    rows = [(_known(hit.record), hit.record.text) for hit in answer.hits]
    asked_of = {"as_of": answer.as_of.date().isoformat()} if answer.as_of is not None else {}
    return f"{fenced('question', query, **asked_of)}\n\n{listed('record', rows)}"


def _known(record: Record) -> dict[str, Any]:
    return {
        "id": record.id,
        "about": record.subject,
        "type": record.type.value,
        "from": record.valid_from.date() if record.valid_from is not None else None,
        "to": record.valid_to.date() if record.valid_to is not None else None,
        "said": max(one.said_at for one in record.sources).date() if record.sources else None,
    }
