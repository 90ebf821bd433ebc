"""The one route table. Dispatch and the OpenAPI document are both made of it."""

from __future__ import annotations

from shared.api import events, notes, operations, parameters
from shared.api.route import Route
from shared.contracts.events import EventsAnswer
from shared.contracts.notes import NoteAnswer, NoteCreate, NotePatch, NotesAnswer
from shared.contracts.operations import CancelAnswer, OperationAnswer, OperationsAnswer

PREFIX = ("api", "v1")
OPENAPI = "openapi.json"

_NOTES_QUERY = (parameters.NOTE_KIND, parameters.TAG, parameters.Q, parameters.LIMIT, parameters.CURSOR)
_OPERATIONS_QUERY = (parameters.STATUS, parameters.OPERATION_KIND, parameters.LIMIT, parameters.CURSOR)
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
    Route("GET", "/notes/{id}", notes.get_note, "A note with its whole body.", answer=NoteAnswer),
    Route("PATCH", "/notes/{id}", notes.patch_note, "Change what is given.", answer=NoteAnswer, body=NotePatch),
    Route("DELETE", "/notes/{id}", notes.delete_note, "Delete a note; its operations stay.", status=204),
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
)
