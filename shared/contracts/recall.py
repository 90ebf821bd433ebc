"""What is remembered about a question, each record with where it comes from."""

from __future__ import annotations

from shared.contracts.base import Model, UtcDatetime
from shared.contracts.memory import Record
from shared.contracts.operations import Usage

RECALL_HITS = 8
RECALL_HITS_MAX = 20


class SourceLink(Model):
    """Where a record was said, as a link to go there."""

    title: str
    link: str
    """#/notes/{id}, #/chat/{session} or #/documents/{id}."""
    quote: str = ""
    said_at: UtcDatetime


class RecallHit(Model):
    """A record that was found: `score` only orders the hits of one answer; `matched` are the query's words in it."""

    record: Record
    score: float
    matched: tuple[str, ...] = ()
    linked: bool = False
    """Whether somebody or something that the query names leads to it, over the graph."""
    relevant: bool | None = None
    """Whether it bears on the question; None where nobody has judged."""
    annotation: str = ""
    """How it does, or why it does not: a sentence."""
    links: tuple[SourceLink, ...] = ()


class RecallAnswer(Model):
    """Pinned records first, then the best; those that are excluded never."""

    hits: tuple[RecallHit, ...]
    as_of: UtcDatetime | None = None
    """The moment that was asked about; None: now."""
    looked_at: int = 0
    """How many documents were read: bounded, however many records there are."""
    judged_by: str = ""
    """The model that annotated it; "rules" where none did; "" where nobody has."""
    message: str = ""
    usage: Usage = Usage()
    """What the judging has cost."""
