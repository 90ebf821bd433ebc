"""The one route table. Dispatch and the OpenAPI document are both made of it."""

from __future__ import annotations

from shared.api import approvals, chat, events, feed, notes, operations, parameters, routines, search, tasks, usage
from shared.api.route import Route
from shared.contracts.approvals import ApprovalAnswer, ApprovalEdit, ApprovalsAnswer, ApprovalSeen
from shared.contracts.chat import (
    MessageCreate,
    SessionAnswer,
    SessionCreate,
    SessionPatch,
    SessionsAnswer,
    SessionTraceAnswer,
    TurnCancelAnswer,
    TurnDone,
)
from shared.contracts.events import EventsAnswer
from shared.contracts.note_index import SearchAnswer
from shared.contracts.notes import FeedAnswer, NoteAnswer, NoteCreate, NotePatch, NoteReadAnswer, NotesAnswer
from shared.contracts.operations import CancelAnswer, OperationAnswer, OperationsAnswer
from shared.contracts.routines import RoutineRunAnswer
from shared.contracts.tasks import TaskAnswer, TaskCreate, TaskPatch, TasksAnswer
from shared.contracts.trash import TrashAnswer
from shared.contracts.usage import UsageAnswer

PREFIX = ("api", "v1")
OPENAPI = "openapi.json"
FEED = "feed"

_NOTES_QUERY = (parameters.NOTE_KIND, parameters.TAG, parameters.Q, parameters.LIMIT, parameters.CURSOR)
_OPERATIONS_QUERY = (
    parameters.STATUS,
    parameters.OPERATION_KIND,
    parameters.SOURCE_NOTE,
    parameters.LIMIT,
    parameters.CURSOR,
)
_EVENTS_QUERY = (parameters.LAST_EVENT_ID, parameters.LIMIT)

ROUTES: tuple[Route, ...] = (
    Route(
        "POST",
        "/notes",
        notes.create_note,
        "Write a note; with the tag research it is researched. 200 when the idempotency key found it stored.",
        answer=NoteAnswer,
        status=201,
        body=NoteCreate,
        idempotent_key=True,
    ),
    Route("GET", "/notes", notes.list_notes, "List notes, newest first.", answer=NotesAnswer, query=_NOTES_QUERY),
    Route(
        "GET",
        "/notes/{id}",
        notes.get_note,
        "A note with its whole body; {id}.md is the same as Markdown with front matter, {id}.json as JSON.",
        answer=NoteReadAnswer,
    ),
    Route("PATCH", "/notes/{id}", notes.patch_note, "Change what is given.", answer=NoteAnswer, body=NotePatch),
    Route(
        "DELETE",
        "/notes/{id}",
        notes.delete_note,
        "Delete a note: it is kept in the trash for 30 days.",
        status=204,
    ),
    Route("POST", "/notes/{id}/restore", notes.restore_note, "Have a deleted note back.", answer=NoteAnswer),
    Route(
        "GET",
        "/feed",
        feed.feed_address,
        "Where the Atom feed of the notes is; the address is a secret.",
        answer=FeedAnswer,
    ),
    Route(
        "GET",
        "/feed/{id}",
        feed.feed,
        "The newest notes as Atom, for who knows this address; no token is needed.",
        query=(parameters.NOTE_KIND, parameters.TAG),
    ),
    Route(
        "GET",
        "/trash",
        notes.list_trash,
        "List deleted notes, the last one first.",
        answer=TrashAnswer,
        query=(parameters.LIMIT, parameters.CURSOR),
    ),
    Route("DELETE", "/trash/{id}", notes.purge_note, "Take a deleted note away for good.", status=204),
    Route(
        "GET",
        "/notes/{id}/events",
        events.note_events,
        "Follow what happens to a note.",
        answer=EventsAnswer,
        query=_EVENTS_QUERY,
        stream=True,
    ),
    Route(
        "GET",
        "/operations",
        operations.list_operations,
        "List operations, newest first.",
        answer=OperationsAnswer,
        query=_OPERATIONS_QUERY,
    ),
    Route("GET", "/operations/{id}", operations.get_operation, "An operation.", answer=OperationAnswer),
    Route(
        "POST",
        "/operations/{id}/cancel",
        operations.cancel_operation,
        "Cancel an operation; a no-op that says so when it has ended.",
        answer=CancelAnswer,
    ),
    Route(
        "GET",
        "/operations/{id}/events",
        events.operation_events,
        "Follow an operation until it ends.",
        answer=EventsAnswer,
        query=_EVENTS_QUERY,
        stream=True,
    ),
    Route(
        "POST",
        "/chat/sessions",
        chat.create_session,
        "Begin a session. 200 when the idempotency key found it stored.",
        answer=SessionAnswer,
        status=201,
        body=SessionCreate,
        idempotent_key=True,
        function="chat",
    ),
    Route(
        "GET",
        "/chat/sessions",
        chat.list_sessions,
        "List sessions, the one used last first.",
        answer=SessionsAnswer,
        query=(parameters.LIMIT, parameters.CURSOR),
        function="chat",
    ),
    Route(
        "GET",
        "/chat/sessions/{id}",
        chat.get_session,
        "A session with the newest events of its trace, or with those before a number.",
        answer=SessionTraceAnswer,
        query=(parameters.BEFORE_SEQ, parameters.LIMIT, parameters.HTML),
        function="chat",
    ),
    Route(
        "PATCH",
        "/chat/sessions/{id}",
        chat.patch_session,
        "Give a session another title.",
        answer=SessionAnswer,
        body=SessionPatch,
        function="chat",
    ),
    Route(
        "DELETE",
        "/chat/sessions/{id}",
        chat.delete_session,
        "Cancel what runs in a session, and delete it with all that belongs to it.",
        status=204,
        function="chat",
    ),
    Route(
        "POST",
        "/chat/sessions/{id}/messages",
        chat.send_message,
        "Say something; the answer is streamed as it is written. 409 while another message is being answered; the "
        "same message with the same idempotency key joins the turn that answers it.",
        answer=TurnDone,
        body=MessageCreate,
        query=(parameters.HTML,),
        idempotent_key=True,
        stream=True,
        function="chat",
    ),
    Route(
        "POST",
        "/chat/sessions/{id}/cancel",
        chat.cancel_turn,
        "Cancel the running turn and keep what was said; a no-op that says so when none runs.",
        answer=TurnCancelAnswer,
        function="chat",
    ),
    Route(
        "GET",
        "/chat/sessions/{id}/events",
        chat.session_events,
        "Follow a session through its turns.",
        answer=EventsAnswer,
        query=(*_EVENTS_QUERY, parameters.HTML),
        stream=True,
        function="chat",
    ),
    Route(
        "GET",
        "/search",
        search.search_notes,
        "Find notes, the best first.",
        answer=SearchAnswer,
        query=(
            parameters.SEARCH_Q,
            parameters.SEARCH_LIMIT,
            parameters.TAG,
            parameters.NOTE_KIND,
            parameters.AFTER,
            parameters.BEFORE,
        ),
    ),
    Route(
        "POST",
        "/tasks",
        tasks.create_task,
        "Add a task. 200 when the idempotency key found it stored.",
        answer=TaskAnswer,
        status=201,
        body=TaskCreate,
        idempotent_key=True,
    ),
    Route(
        "GET",
        "/tasks",
        tasks.list_tasks,
        "List tasks: open ones by due day, those without one last; then done ones, newest first.",
        answer=TasksAnswer,
        query=(parameters.DONE, parameters.DUE_BEFORE, parameters.LIMIT, parameters.CURSOR),
    ),
    Route("GET", "/tasks/{id}", tasks.get_task, "A task.", answer=TaskAnswer),
    Route("PATCH", "/tasks/{id}", tasks.patch_task, "Change what is given.", answer=TaskAnswer, body=TaskPatch),
    Route("DELETE", "/tasks/{id}", tasks.delete_task, "Delete a task.", status=204),
    Route(
        "GET",
        "/approvals",
        approvals.list_approvals,
        "List changes that were proposed, newest first.",
        answer=ApprovalsAnswer,
        query=(parameters.APPROVAL_STATUS, parameters.LIMIT, parameters.CURSOR),
    ),
    Route("GET", "/approvals/{id}", approvals.get_approval, "A proposed change.", answer=ApprovalAnswer),
    Route(
        "POST",
        "/approvals/{id}/approve",
        approvals.approve_approval,
        "Make the change exactly as shown, once; 409 when its target changed since, or it was edited since shown.",
        answer=ApprovalAnswer,
        body=ApprovalSeen,
        body_required=False,
    ),
    Route(
        "PATCH",
        "/approvals/{id}",
        approvals.edit_approval,
        "Change the arguments before deciding; the answer shows what they would change.",
        answer=ApprovalAnswer,
        body=ApprovalEdit,
    ),
    Route(
        "POST",
        "/approvals/{id}/reject",
        approvals.reject_approval,
        "Decide against it; a no-op that says so when it was decided.",
        answer=ApprovalAnswer,
    ),
    Route(
        "GET",
        "/usage",
        usage.get_usage,
        "What was used in a month, by kind, next to the workspace's quotas.",
        answer=UsageAnswer,
        query=(parameters.MONTH,),
    ),
    Route(
        "POST",
        "/routines/{kind}/run",
        routines.run_routine,
        "Write the digest of the day or the review of the week so far, or bring it up to date.",
        answer=RoutineRunAnswer,
    ),
)
