"""Statements by a model: a batch of passages a question, each shown as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shared.brain.agents.cognitive_extractor.schema import Answer, Found, Proposal
from shared.brain.asking import Question, asked, fenced, listed, prompt_beside
from shared.brain.dates import written
from shared.brain.sentences import Span
from shared.brain.sources import Reading
from shared.contracts.memory import Candidate
from shared.contracts.operations import Usage
from shared.gateway.transport import Cut
from shared.llm.port import Model

_SECONDS = 40.0
_OUTPUT_TOKENS = 8_000
STATEMENTS = 60
"""Of one answer; a model that lists more lists junk."""


def proposals(model: Model, reading: Reading, passages: Sequence[Span], cut: Cut) -> tuple[list[Proposal], Usage]:
    """What the model finds in the passages. Raises ModelOutputError, and as `Model.stream` does."""
    said = asked(
        model,
        cut,
        Question(prompt_beside(__file__), _shown(reading, passages), Answer, _SECONDS, _OUTPUT_TOKENS),
    )
    return list(_proposals(said.value.statements[:STATEMENTS], passages)), said.usage


def _shown(reading: Reading, passages: Sequence[Span]) -> str:
    said = f"{reading.said_at:%A, %Y-%m-%d}"
    rows = [({"n": n, "said": said}, place.of(reading.text)) for n, place in enumerate(passages, 1)]
    parts = [fenced("title", reading.title)] if reading.title and reading.source.kind == "note" else []
    parts += [fenced("context", reading.context)] if reading.context else []
    return "\n\n".join((*parts, listed("passage", rows)))


def _proposals(found: Sequence[Found], passages: Sequence[Span]) -> Iterator[Proposal]:
    for one in found:
        within = passages[one.passage - 1] if 1 <= one.passage <= len(passages) else passages[0]
        known = one.model_dump(include=set(Candidate.model_fields) - {"valid_from", "valid_to"})
        dates = {"valid_from": written(one.valid_from), "valid_to": written(one.valid_to)}
        yield Proposal(Candidate.model_validate(known | dates), one.quote, within, one.confidence)
