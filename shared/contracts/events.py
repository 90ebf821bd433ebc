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
    """The event types of notes, operations and chat sessions."""

    NOTE_CREATED = "note_created"
    """data: {by, via}: only where not a person but something for them wrote it"""
    NOTE_CHANGED = "note_changed"
    """data: {by, via?, changed}"""
    NOTE_INVALID = "note_invalid"
    NOTE_DELETED = "note_deleted"
    """data: {by}: the note went to the trash, its stream is kept with it"""
    NOTE_RESTORED = "note_restored"
    """data: {by}"""

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
    EXTRACTED = "extracted"
    """data: {document_id, parts, of, chunks, characters, problems}: how far a document's text has been taken over"""
    POLL_ERROR = "poll_error"
    TAGGED_AGAIN = "tagged_again"
    PLAN_SKIPPED = "plan_skipped"
    """data: {message}: plans are wanted here, and this backend makes none"""
    PLAN_PROPOSED = "plan_proposed"
    """data: {revision, drafts, text, estimate_low_usd, estimate_high_usd, estimate_low_minutes, estimate_high_minutes,
    estimate_basis, planning_usd, expires_at}: it waits for a person's word"""
    PLAN_EDITED = "plan_edited"
    """data: {revision, by}"""
    PLAN_CHANGE_ASKED = "plan_change_asked"
    """data: {by, change}: the service makes another plan"""
    PLAN_APPROVED = "plan_approved"
    """data: {revision, by, edited}: `edited` says whether a person has changed the service's words"""
    PLAN_GONE = "plan_gone"
    """data: {message}: the service has forgotten the plan, which goes with the run word by word"""
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"

    USER_MESSAGE = "user_message"
    """data: {turn_id, text, key?}: `key` is the Idempotency-Key, by which whoever said it knows its message again"""
    MODEL_THOUGHT = "model_thought"
    """data: {turn_id, iteration, text}"""
    TOOL_CALL = "tool_call"
    """data: {turn_id, iteration, index, call_id, tool, arguments}"""
    TOOL_RESULT = "tool_result"
    """data: {turn_id, iteration, index, call_id, tool, ok, result, seconds}"""
    MODEL_TEXT = "model_text"
    """data: {turn_id, iteration, text, partial?}"""
    MODEL_ERROR = "model_error"
    """data: {turn_id, code, message, again}: something failed; `again` says whether the turn goes on"""
    TURN_TAKEN_OVER = "turn_taken_over"
    """data: {turn_id, fence}: the worker before was lost and another goes on"""
    TURN_ENDED = "turn_ended"
    """data: {turn_id, status, stop_reason, usage, model?, prompt?, error?}: the turn's last event"""
    HISTORY_SUMMARISED = "history_summarised"
    """data: {turn_id, turns, by, text}: what was said in so many turns from the first"""
    CHECKPOINT_REBUILT = "checkpoint_rebuilt"
    """data: {turn_id, turns}: the session store had nothing of this conversation, which was put together anew"""
    CHECKPOINT_BEHIND = "checkpoint_behind"
    """data: {turn_id, turns}: what so many completed turns came to had not been saved, and was made up for"""
    RUN_ANSWER = "run_answer"
    """data: {run_id, goal, status, stop_reason, text, note_id?, citations}: a run that this chat began has ended"""

    RUN_STARTED = "run_started"
    """data of each frame of a run: {run_id, step_id, parent_step_id, title, status}, and what is said beside it"""
    PLAN_READY = "plan_ready"
    """data: {…, steps: the whole list}"""
    STEP_STARTED = "step_started"
    """data: {…, attempt}"""
    STEP_COMPLETED = "step_completed"
    """data: {…, summary, stop_reason, usage, calls}"""
    STEP_FAILED = "step_failed"
    """data: {…, code, message, again}: `again` says whether it is tried once more"""
    ANSWER_TEXT = "answer_text"
    """data: {…, attempt, text}: a piece of the answer as it is written; a higher attempt begins anew"""
    CITATION = "citation"
    """data: {…, n, source_id, source_title, note_id?, document_id?, page?, url?}"""
    RUN_COMPLETED = "run_completed"
    """data: {…, stop_reason, usage, cost_usd, tool_calls, answer_note_id?, citations, dropped_citations, error?}:
    the last frame of every run, failed and cancelled ones too"""
    SESSION_RENAMED = "session_renamed"

    MEMORY_STORED = "memory_stored"
    """data of each event of memory: {item_id, record_id, type, …}, and no words, which could not be forgotten;
    {…, supersedes, superseded_by?}"""
    MEMORY_MERGED = "memory_merged"
    """data: {…}: the record says it already, and has a source more"""
    MEMORY_REJECTED = "memory_rejected"
    """data: {item_id, type, by}: `by` is admission or a critic; the item has the reason"""
    MEMORY_CONTRADICTED = "memory_contradicted"
    """data: {…, contradiction_ids, against}: stored beside records of which one at most is true"""
    MEMORY_FORGOTTEN = "memory_forgotten"
    """data: {record_id, source, gone}: it rested on the source alone and is gone, or it has others and stays"""
    MEMORY_CHANGED = "memory_changed"
    """data: {record_id, by, pinned | excluded | status}: a person's word"""
    MEMORY_SETTLED = "memory_settled"
    """data: {contradiction_id, by, status, kept}: a person's word"""
    FOCUS_SHIFTED = "focus_shifted"
    """data: {record_ids, active_since}: the person is at something else now; focus/current says at what"""


TRACE_TOPIC = "trace-events"
