"""What the summariser takes, gives, and asks of its model."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from shared.brain.asking import Answered
from shared.contracts.base import Model

LEVELS = 12
"""No document has so many: each has an eighth of the one below."""


class Input(Model):
    document_id: Annotated[str, StringConstraints(min_length=1, max_length=1500)]
    level: Annotated[int, Field(ge=1, le=LEVELS)] = 1
    """1 is made of the pieces, 2 of the summaries of level 1, and so on."""
    first: Annotated[int, Field(ge=0)] = 0
    """The number of the first summary to make."""


class Output(Model):
    document_id: str
    level: int
    first: int
    made: int
    done: bool
    """There is one summary of the whole now."""


class Answer(Answered):
    summary: str
