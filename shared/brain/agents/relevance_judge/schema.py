"""What the judge of relevance takes, gives, and asks of its model."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from shared.brain.asking import Answered
from shared.contracts.base import Model, UtcDatetime
from shared.contracts.limits import QUERY_CHARACTERS
from shared.contracts.recall import RECALL_HITS, RECALL_HITS_MAX


class Input(Model):
    query: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=QUERY_CHARACTERS)]
    limit: Annotated[int, Field(ge=1, le=RECALL_HITS_MAX)] = RECALL_HITS
    as_of: UtcDatetime | None = None


class Hit(Model):
    record_id: str
    text: str
    relevant: bool | None
    annotation: str
    links: tuple[str, ...]


class Output(Model):
    hits: tuple[Hit, ...]
    judged_by: str
    looked_at: int


class Judgement(Answered):
    id: str
    relevant: bool
    why: str = ""


class Answer(Answered):
    judgements: tuple[Judgement, ...]
