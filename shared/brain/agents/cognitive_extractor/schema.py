"""What the extractor is given, gives back, and asks of a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from shared.brain.asking import Answered
from shared.brain.sentences import Span
from shared.brain.sources import Source
from shared.contracts.base import Model
from shared.contracts.memory import CONFIDENCE, Candidate, RecordType


class Input(Model):
    """What is to be read. It is read as it is when the job runs."""

    source: Source
    revision: str = ""
    """Names the state that asked for it, so that a source that changes while a job reads it gets another job."""
    offset: Annotated[int, Field(ge=0)] = 0
    """Where in a long text this job begins; the one before it left off there."""


class Output(Model):
    item_ids: tuple[str, ...] = ()
    known: int = 0
    """Statements that were put on the blackboard from the same words before."""
    next_offset: int | None = None
    message: str = ""


class Found(Answered):
    """One statement, as a model answers it."""

    passage: int
    """The number of the passage that says it."""
    quote: str
    """The words that say it, copied from the passage exactly."""
    type: RecordType
    subject: str
    """Whom or what it is about, by name; me for the person who writes."""
    property: str
    """What of the subject it states, in one to three words of English, such as employer, birthday, likes."""
    object: str = ""
    """Who or what the property leads to, where that is a person, a place, a thing or a value."""
    text: str
    """The statement as a sentence that stands alone, in the language of the passage; of the person: I …"""
    valid_from: str = ""
    """The first day on which it holds, as YYYY-MM-DD, YYYY-MM or YYYY, where the passage tells."""
    valid_to: str = ""
    """The first day on which it no longer holds, where the passage tells."""
    confidence: Annotated[float, Field(ge=0, le=1)] = CONFIDENCE
    about_person_or_world: bool = True
    """Whether it is about the person or their world: people, places, work, plans, tastes."""
    durable: bool = True
    """False for what holds for one task or one moment only."""
    instruction: bool = False
    """Whether it tells somebody, or a model, what to do, instead of stating something."""


class Answer(Answered):
    statements: tuple[Found, ...]


@dataclass(frozen=True)
class Proposal:
    """A candidate as it was found, before code has looked at it."""

    candidate: Candidate
    quote: str
    within: Span
    """Where in the text it is to be found: a sentence or a passage."""
    confidence: float = CONFIDENCE
