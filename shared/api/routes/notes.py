"""The rows of notes, what was deleted of them, their feed and the search in them."""

from __future__ import annotations

from shared.api import events, feed, notes, parameters, plans, search
from shared.api.route import Route
from shared.contracts.events import EventsAnswer
from shared.contracts.note_index import SearchAnswer
from shared.contracts.notes import FeedAnswer, NoteAnswer, NoteCreate, NotePatch, NoteReadAnswer, NotesAnswer
from shared.contracts.operations import OperationAnswer
from shared.contracts.plans import ResearchAsk
from shared.contracts.trash import TrashAnswer

_NOTES_QUERY = (parameters.NOTE_KIND, parameters.TAG, parameters.Q, parameters.LIMIT, parameters.CURSOR)

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
    Route(
        "POST",
        "/notes/{id}/research",
        plans.research_note,
        "Research a captured note, with its plan shown first where that is wanted; a run under way is joined.",
        answer=OperationAnswer,
        body=ResearchAsk,
        body_required=False,
        idempotent_key=True,
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
        secret_address=True,
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
        query=parameters.EVENTS,
        stream=True,
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
)
