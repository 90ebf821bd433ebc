"""Operations: work that outlasts a request, such as a research run."""

from __future__ import annotations

from enum import StrEnum

from shared.contracts.base import Model, Stored, UtcDatetime
from shared.contracts.plans import ResearchPlan

DEEP_RESEARCH = "deep_research"
EXTRACT_DOCUMENT = "extract_document"
"""The kinds of operations; the list is open."""


class OperationStatus(StrEnum):
    """`running` until the one commit that ends it; the last three are never left."""

    RUNNING = "running"
    AWAITING_APPROVAL = "awaiting_approval"
    """Between two executions: its plan waits for a person's word, and nothing runs."""
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def terminal(self) -> bool:
        return self not in (OperationStatus.RUNNING, OperationStatus.AWAITING_APPROVAL)


class Failure(Stored):
    """Why something could not be done; `message` says what to do."""

    code: str
    message: str


class Usage(Stored):
    """Tokens and searches; what they cost is computed from the dated price table (shared/contracts/prices.py)."""

    input_tokens: int = 0
    output_tokens: int = 0
    thought_tokens: int = 0
    tool_use_tokens: int = 0
    searches: int = 0
    discount_micros: int = 0
    """What it cost less than the dearest model would, in millionths of a USD, where the one that answered is known."""

    def __add__(self, other: Usage) -> Usage:
        names = (name for name in Usage.model_fields if name != "v")
        return Usage(**{name: getattr(self, name) + getattr(other, name) for name in names})


class Attempt(Stored):
    """One interaction of an operation. Its intent is stored before the paid call, its id right after."""

    n: int
    round: int = 0
    """That of the operation when it was begun."""
    planning: bool = False
    """Whether it makes a plan, not a report."""
    note_digest: str = ""
    """Of the note as the plan is made for it."""
    reason: str
    """first | lost_answer | report_phase_failure"""
    intent_at: UtcDatetime
    intent_expires_at: UtcDatetime
    """Until then another caller must suppose that the create is still under way."""
    interaction_id: str | None = None
    started_at: UtcDatetime | None = None
    status: str = "creating"
    """creating | refused | lost | a status of the service, verbatim"""
    polls: int = 0
    steps_seen: int = 0
    failing_since: UtcDatetime | None = None
    """When the service began to answer GET with errors, without one good answer since."""
    unknown_status_reported: bool = False
    webhook: bool = False
    """Whether the service was asked to tell of this interaction's end."""
    usage: Usage = Usage()
    """Of this interaction alone; the operation's is the sum."""


class Operation(Stored):
    """workspaces/{workspace}/operations/{id}; its event stream hangs below it in events/."""

    id: str
    kind: str = DEEP_RESEARCH
    status: OperationStatus = OperationStatus.RUNNING
    created_at: UtcDatetime
    updated_at: UtcDatetime
    finished_at: UtcDatetime | None = None
    title: str = ""
    """The source note's title, or the document's name, when the operation began."""
    source_note_id: str = ""
    """Empty for an operation that is about no note."""
    document_id: str | None = None
    """The document that is extracted."""
    asked_by: str = "tag"
    """tag | hand: one asked for by the tag is cancelled when the tag is gone before the paid run has begun.
    Whoever approves a plan has asked for its run by hand."""
    plan_first: bool = False
    """Whether a person sees the plan before the paid run is made."""
    plan: ResearchPlan | None = None
    round: int = 0
    """Rises with each word of a person that sets the operation going again; attempts count within one."""
    resumed_at: UtcDatetime | None = None
    """When the last such word was."""
    result_note_id: str | None = None
    interaction_id: str | None = None
    """The interaction of the current attempt."""
    attempts: int = 0
    """Polls made, over all interactions."""
    error: Failure | None = None
    usage: Usage = Usage()

    seq: int = 0
    """The number of the last event of the operation's stream."""
    fence: int = 0
    """Rises with each execution that takes the operation over; a write with a lower one is refused."""
    execution: str | None = None
    """The full name of the workflow execution that was started for, or has claimed, this operation."""
    claimed: bool = False
    """Whether `execution` has called `start`."""
    launch_expires_at: UtcDatetime | None = None
    """Until then someone is starting an execution; nobody else may."""
    launches: int = 0
    """Executions started, or being started; a start that Workflows did not take is not counted."""
    interactions: tuple[Attempt, ...] = ()
    cancel_pending: bool = False
    """Cancelled here, but the outside work is not yet known to have stopped."""
    callback_url: str | None = None
    """Where the execution that it names can be woken; one of an execution that has it no more is not used."""
    wakes: int = 0
    """How often the service has told that there is something to look at."""
    wakes_seen: int = 0
    """How many of those came before the last look."""
    woken_at: UtcDatetime | None = None
    """When the last of them came."""
    traceparent: str = ""
    """The trace that it was begun in, as W3C writes it, where spans are recorded."""


class ResearchClaim(Stored):
    """workspaces/{workspace}/leases/research-{note}: which operation researches a note, and for which tagging.

    Both moments are update times of the note's own document, so a late or repeated event can be told from a new one.
    """

    operation_id: str | None = None
    tagged_at: UtcDatetime | None = None
    untagged_at: UtcDatetime | None = None


class SweepPosition(Stored):
    """sweeps/{name}: how far the sweep has come in a walk over more documents than it looks at in one go."""

    path: str
    """The whole path of the last document, "" before the first."""
    updated_at: UtcDatetime | None = None
    """Its moment, where the walk is ordered by it."""
    walked_at: UtcDatetime | None = None
    """When the walk was last begun, where it rests in between."""


class OperationAnswer(Model):
    operation: Operation


class OperationsAnswer(Model):
    operations: tuple[Operation, ...]
    next_cursor: str | None = None


class PlanAnswer(Model):
    """`changed` is False when it had been approved before; `message` says what happened."""

    operation: Operation
    changed: bool = True
    message: str = ""


class CancelAnswer(Model):
    """`cancelled` is False when there was nothing to cancel any more; `message` says why."""

    operation: Operation
    cancelled: bool
    message: str
