"""Checkpoints: the model-facing state of a conversation, as the session stores keep it, and how they tell of it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from shared.contracts.base import Model, Stored, UtcDatetime

FORMAT = "memex.checkpoint/1"
OWNER_CHARACTERS = 128


class SessionStoreKind(StrEnum):
    MEMORY = "memory"
    SQLITE = "sqlite"
    FIRESTORE = "firestore"
    AGENT_ENGINE = "agent-engine"


class CheckpointEnvelope(Model):
    """What a session store keeps of one conversation; `data` is any JSON object, and none of the store's business."""

    format: str = FORMAT
    owner: Annotated[str, StringConstraints(min_length=1, max_length=OWNER_CHARACTERS)] | None = None
    """The principal whose conversation it is; it never changes. None: nobody's, which no caller of the API reaches."""
    version: int = Field(ge=1, le=2**53)
    """One more with each save: a store refuses one that is not newer than what it has."""
    saved_at: UtcDatetime
    data: dict[str, Any]


class Met(Stored):
    """A note or a document that a tool of the conversation has met."""

    title: str
    note_id: str | None = None
    document_id: str | None = None


class ToolState(Stored):
    """What the tools of a conversation have done so far."""

    calls: dict[str, int] = Field(default_factory=dict)
    """How often each was run."""
    met: tuple[Met, ...] = ()
    """What they came across last, the newest last; the model is told, so that it can read it again."""


class ChatCheckpoint(Stored):
    """The `data` of a chat session's envelope: what its events up to `seq` come to, as the model is told of it."""

    seq: int = 0
    summary: str = ""
    """What was said before the turns that still go to the model word by word."""
    summarised_turns: int = 0
    """How many turns the summary stands for."""
    tools: ToolState = ToolState()


class Retention(Model):
    """Who lets conversations expire, whether that is switched on, and how one does."""

    who: str
    active: bool
    seconds: float | None = None
    """How long after it was first saved a conversation is gone; None where nothing is gone, or only others know."""
    how: str


class CheckpointEntry(Model):
    """A conversation as a store lists it; what cannot be read of it is None."""

    session_id: str
    owner: str | None = None
    version: int | None = None
    saved_at: UtcDatetime | None = None
    expires_at: UtcDatetime | None = None


class StoreAnswer(Model):
    """Which store this Memex has, and what it says of itself."""

    kind: SessionStoreKind
    where: str
    about: str
    retention: Retention


class CheckpointsAnswer(Model):
    store: StoreAnswer
    checkpoints: tuple[CheckpointEntry, ...]
    next_cursor: str | None = None


class CheckpointAnswer(Model):
    checkpoint: CheckpointEnvelope
    session_id: str
