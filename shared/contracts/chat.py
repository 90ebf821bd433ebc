"""Chat sessions and their turns.

A session owns one event stream. A turn is a journal in it: the session's document carries the turn under way, so that
one Commit with one precondition is at once the order of events, the fence of the turn and the "not after the end".
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, Field, StringConstraints

from shared.contracts.base import Model, Stored, UtcDatetime
from shared.contracts.events import Envelope
from shared.contracts.limits import MESSAGE_CHARACTERS, SESSION_TITLE_CHARACTERS
from shared.contracts.operations import Failure, Usage
from shared.contracts.texts import named, one_line, telling


class TurnStatus(StrEnum):
    """`running` until the one commit that ends it; the others are never left."""

    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def terminal(self) -> bool:
        return self is not TurnStatus.RUNNING


class RunningTurn(Stored):
    """The turn under way, in its session's document."""

    id: str
    n: int
    """The turn's number in the session, from 1."""
    fence: int = 1
    """Rises with each worker that takes the turn over; a commit of one with a lower number is refused."""
    lease_expires_at: UtcDatetime
    """Until then its worker is supposed to live (judged by the server's read time)."""
    iteration: int = 0
    """How many model answers are stored."""
    calls: int = 0
    """How many tool calls the stored answers asked for."""
    usage: Usage = Usage()
    started_at: UtcDatetime
    first_seq: int
    """The event of the user's message."""


class ChatSession(Stored):
    """workspaces/{workspace}/chat_sessions/{id}; its event stream hangs below it in events/."""

    id: str
    title: str = ""
    """The first message, cut at a word, until someone gives another."""
    created_at: UtcDatetime
    updated_at: UtcDatetime
    seq: int = 0
    turns: int = 0
    """How many turns were begun."""
    turn: RunningTurn | None = None
    usage: Usage = Usage()
    """Of all turns that ended."""
    deleting: bool = False
    """What lies below it is being removed; it takes no message any more."""


class Turn(Stored):
    """workspaces/{workspace}/chat_sessions/{session}/turns/{id}: what a turn began with and how it ended."""

    id: str
    n: int
    status: TurnStatus = TurnStatus.RUNNING
    text: str
    """What the person wrote."""
    first_seq: int
    """The event of the message."""
    last_seq: int = 0
    """The event that ended the turn; 0 until then."""
    answer: str = ""
    """What the model said last; cut when it is very long, the events have it all."""
    created_at: UtcDatetime
    finished_at: UtcDatetime | None = None
    updated_at: UtcDatetime
    usage: Usage = Usage()
    iterations: int = 0
    model: str = ""
    """Which model answered; "" while the turn runs."""
    error: Failure | None = None
    stop_reason: str = ""
    """end | length | iterations | tokens | calls | time | cancelled | error"""
    execution: str | None = None
    """The workflow execution that watches over it."""
    launch_expires_at: UtcDatetime | None = None
    """Until then someone is starting an execution; nobody else may."""


class ModelAnswer(Stored):
    """…/turns/{turn}/answers/{iteration}: one answer of the model, stored before its calls are run."""

    n: int
    parts: tuple[dict[str, Any], ...]
    """Text, thoughts and calls in our own terms."""
    provider: str = ""
    verbatim: str = ""
    """The provider's own JSON, signatures included: replayed to it as it was, never shown."""
    usage: Usage = Usage()
    stop: str = ""
    writer: str = ""


class Draft(Stored):
    """chat_sessions/{session}/drafts/{turn}: the text being written, stored once a second at most.

    It is there exactly as long as the turn runs, so that a worker who comes late has nothing to write into.
    """

    iteration: int
    """The number of the answer that is being written, from 1."""
    text: str
    updated_at: UtcDatetime
    fence: int = 1
    """That of the worker who may write it: one that was thought dead and wakes up may not."""
    usage: Usage = Usage()
    """Of the answer that is being written, where the service tells before its end."""
    effect: str = ""
    """The last effect of a tool: its commit touches the draft, so that none is committed after the turn."""


Message = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MESSAGE_CHARACTERS),
    AfterValidator(telling),
]
_Title = StringConstraints(strip_whitespace=True, max_length=SESSION_TITLE_CHARACTERS)


class SessionCreate(Model):
    """POST /api/v1/chat/sessions. Idempotency-Key names the session."""

    title: Annotated[str, _Title, AfterValidator(one_line)] = ""


class SessionPatch(Model):
    title: Annotated[str, _Title, Field(min_length=1), AfterValidator(named)]


class MessageCreate(Model):
    """POST …/{id}/messages. With an Idempotency-Key the same message again joins its turn instead of being refused."""

    text: Message


class SessionSummary(Model):
    """A session as lists show it."""

    id: str
    title: str
    created_at: UtcDatetime
    updated_at: UtcDatetime
    turns: int
    running_turn_id: str | None = None
    usage: Usage = Usage()


class SessionWithTrace(SessionSummary):
    """A session and its newest events; `draft` is the text being written at this moment."""

    trace: tuple[Envelope, ...]
    more_before: int | None = None
    """There are older events, up to this seq."""
    draft: str = ""


class SessionAnswer(Model):
    session: SessionSummary


class SessionTraceAnswer(Model):
    session: SessionWithTrace


class SessionsAnswer(Model):
    sessions: tuple[SessionSummary, ...]
    next_cursor: str | None = None


class TextPiece(Model):
    """The data of `event: delta`: a piece of text, as the model writes it.

    It is not stored: when the answer is there, the trace event model_text has the whole text. What was shown of an
    iteration is void when a trace event model_error or turn_taken_over comes, since the model is then asked anew.
    """

    turn_id: str
    iteration: int
    text: str


class TextSoFar(TextPiece):
    """The data of `event: draft`: the whole text so far of an answer that another process receives."""

    html: str = ""
    """The text, safe to show, for who asked with html=1."""


class TextBlock(Model):
    """The data of `event: block`, for who asked with html=1: a block of the answer that no further text changes.

    Blocks are counted from 0 within an iteration; the trace event model_text has the HTML of the whole.
    """

    turn_id: str
    iteration: int
    n: int
    html: str
    tail: str = ""
    """What is written so far behind the finished blocks, in Markdown: the pieces that follow add to it."""


class TurnDone(Model):
    """The data of `event: done`, and the answer to who asks for JSON (then with the turn's events)."""

    session: SessionSummary
    turn_id: str
    status: TurnStatus
    usage: Usage
    model: str = ""
    """Which model answered, once the turn has ended."""
    answer: str = ""
    trace: tuple[Envelope, ...] = ()
    error: Failure | None = None


class TurnCancelAnswer(Model):
    """`cancelled` is False when no turn was running; `message` says so."""

    session: SessionSummary
    cancelled: bool
    message: str


class TurnArgument(Model):
    """The argument of workflows/turn.yaml. `wait_seconds` is how long its first worker is left alone."""

    workspace: str
    session_id: str
    turn_id: str
    wait_seconds: float = 0.0


class CarryOnRequest(Model):
    """POST turn/carry_on, by workflows/turn.yaml."""

    workspace: str
    session_id: str
    turn_id: str


class CarryOnAnswer(Model):
    """`done` when the turn has ended; else call again after so many seconds."""

    done: bool
    status: TurnStatus
    next_seconds: float = 0.0
