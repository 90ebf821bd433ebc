"""Events and their envelope: one shape wherever an event leaves the store."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from shared.contracts.base import Model, Stored, UtcDatetime


class Event(Stored):
    """{stream}/events/{seq, zero-padded}: one entry of an append-only stream with a dense `seq`, from 1."""

    id: str
    """Unique over all streams of a workspace: the owner's id, a dash and the seq."""
    seq: int
    type: str
    at: UtcDatetime
    data: dict[str, Any] = Field(default_factory=dict)
    writer: str = ""
    """The token by which a writer whose commit was answered by silence recognises its own event."""
    terminal: bool = False
    """After this event the stream has no other."""
    expire_at: UtcDatetime | None = None
    """Set only on events that may be forgotten (Firestore's TTL policy reads it)."""


class Envelope(Model):
    """What SSE, Pub/Sub, the archive and REST carry. Kinds are added, never changed."""

    v: int = 1
    id: str
    seq: int
    type: str
    at: UtcDatetime
    stream: str
    """The owner's path below the workspace, such as operations/op_1."""
    data: dict[str, Any]


class EventsAnswer(Model):
    """A stream as JSON, for who asks with Accept: application/json. `next_cursor` goes on as Last-Event-ID."""

    events: tuple[Envelope, ...]
    next_cursor: str | None = None


class EventType:
    """The event types of notes and operations."""

    NOTE_CHANGED = "note_changed"
    NOTE_INVALID = "note_invalid"

    CREATED = "created"
    START_FAILED = "start_failed"
    EXECUTION_STARTED = "execution_started"
    INTERACTION_STARTED = "interaction_started"
    INTERACTION_RETRIED = "interaction_retried"
    THOUGHT = "thought"
    SEARCH = "search"
    READING = "reading"
    WRITING = "writing"
    STEP = "step"
    STATUS = "status"
    POLL_ERROR = "poll_error"
    TAGGED_AGAIN = "tagged_again"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


TRACE_TOPIC = "trace-events"
