"""What the extractor of the graph takes, gives, and asks of its model."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from shared.brain.asking import Answered
from shared.contracts.base import Model

RECORDS = 40
"""In one job."""


class Input(Model):
    record_ids: Annotated[tuple[str, ...], Field(max_length=RECORDS)] = ()
    """Without any: the newest."""


class Output(Model):
    records: int
    nodes: int
    edges: int


Kind = Literal["person", "place", "organisation", "thing", "topic"]


class Thing(Answered):
    name: str
    kind: Kind = "thing"


class Relation(Answered):
    """What the record says of two things, in one or a few words; `source` and `target` are names."""

    source: str
    label: str
    target: str


class Drawn(Answered):
    record: str
    things: tuple[Thing, ...] = ()
    relations: tuple[Relation, ...] = ()


class Answer(Answered):
    records: tuple[Drawn, ...]
