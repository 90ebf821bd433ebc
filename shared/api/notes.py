"""The handlers of notes."""

from __future__ import annotations

from flask import Response

from shared.api import answers, request
from shared.api.route import Call
from shared.contracts.limits import PAGE_SIZE, TITLE_CHARACTERS
from shared.contracts.notes import Note, NoteAnswer, NoteCreate, NotePatch, NoteReadAnswer, NotesAnswer
from shared.contracts.trash import TrashAnswer
from shared.errors import NotFound
from shared.markdown import html, wiki
from shared.notes.create import create
from shared.notes.delete import delete, entry, restore
from shared.notes.front_matter import markdown_of
from shared.notes.patch import patch
from shared.store.notes import NotesWanted
from shared.store.workspace import WorkspaceStore

EXCERPT_CHARACTERS = 500
_FORMS = ("md", "json")


def create_note(call: Call) -> Response:
    key = request.idempotency_key(call.request)
    wanted = request.body(call.request, NoteCreate)
    made = create(call.store, wanted, clock=call.app.clock, ids=call.app.ids, key=key)
    return answers.model(NoteAnswer(note=made.note), 201 if made.created else 200)


def list_notes(call: Call) -> Response:
    page = call.store.notes.list(NotesWanted(**{"limit": PAGE_SIZE, **call.query}))
    return answers.model(NotesAnswer(notes=tuple(map(_excerpt, page.notes)), next_cursor=page.next_cursor))


def get_note(call: Call) -> Response:
    note, form = _note_and_form(call.store, call.id)
    if form == "md":
        return answers.text(markdown_of(note), "text/markdown")
    derived = call.store.note_index.find(note.id)
    suggested = tuple(tag for tag in derived.suggested_tags if tag not in note.tags) if derived else ()
    summary = note.summary or (derived.summary if derived else "")
    return answers.model(
        NoteReadAnswer(note=note, html=_html(call.store, note), summary=summary, suggested_tags=suggested)
    )


def _note_and_form(store: WorkspaceStore, asked: str) -> tuple[Note, str]:
    """The note of this id, or else, for {id}.md and {id}.json, the note {id} and that form. Raises NotFound."""
    try:
        return store.notes.get(asked), "json"
    except NotFound:
        note_id, dot, form = asked.rpartition(".")
        if not note_id or form not in _FORMS:
            raise
        return store.notes.get(note_id), form


def _html(store: WorkspaceStore, note: Note) -> str:
    """The body with what it names by title as links."""
    names = wiki.named(note.body)
    found = store.notes.titled(wiki.titles(names)) if names else {}
    return html(note.body, wiki.resolved(names, found))


def patch_note(call: Call) -> Response:
    change = request.body(call.request, NotePatch)
    note = patch(call.store, call.id, change, clock=call.app.clock, by=call.principal.name)
    return answers.model(NoteAnswer(note=note))


def delete_note(call: Call) -> Response:
    delete(call.store, call.id, by=call.principal.name)
    return answers.empty()


def restore_note(call: Call) -> Response:
    return answers.model(NoteAnswer(note=restore(call.store, call.id, by=call.principal.name)))


def list_trash(call: Call) -> Response:
    kept, next_cursor = call.store.trash.list(**{"limit": PAGE_SIZE, **call.query})
    return answers.model(TrashAnswer(notes=tuple(map(entry, kept)), next_cursor=next_cursor))


def purge_note(call: Call) -> Response:
    call.store.trash.purge(call.id)
    return answers.empty()


def _excerpt(note: Note) -> Note:
    """Body and title cut: a client may have written a title of any length."""
    shown = {"title": _cut(note.title, TITLE_CHARACTERS), "body": _cut(note.body, EXCERPT_CHARACTERS)}
    return note.model_copy(update=shown)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[:longest] + "…"
