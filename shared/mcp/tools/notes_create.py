"""The tool notes_create."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, StringConstraints

from shared.contracts.notes import Note, NoteKind, Tags, Title
from shared.ids import derived
from shared.mcp.keys import Key, effect_of
from shared.mcp.tool import Answer, Caller, Camel, McpTool
from shared.notes.create import create_once
from shared.store.effects import Effect

NOTE_CHARACTERS = 200_000


class Arguments(Camel):
    title: Title = ""
    body: Annotated[str, StringConstraints(min_length=1, max_length=NOTE_CHARACTERS), Field(description="Markdown.")]
    tags: Annotated[
        Tags, Field(description="One word each. The tag research starts a paid research run: only when asked for.")
    ] = ()
    key: Key = None


class NoteCreated(Answer):
    note_id: str
    title: str
    tags: tuple[str, ...]


def run(caller: Caller, arguments: Arguments) -> NoteCreated:
    """Write a new note with a title, a body in Markdown and tags, and answer its id. It can be found and researched as
    any note; what it says is not remembered as the person's own words, since it comes from an assistant."""
    effect = effect_of(caller, TOOL.name, arguments.key)
    stored = capture(caller, effect, arguments.title, arguments.body, arguments.tags)
    return NoteCreated(note_id=stored["note_id"], title=stored["title"], tags=tuple(stored["tags"]))


def capture(caller: Caller, effect: Effect, title: str, body: str, tags: tuple[str, ...]) -> dict[str, Any]:
    """A note of the person's, once for the effect: {note_id, title, kind, tags}. Raises InputError."""
    now = caller.app.clock.now()
    note = Note(
        id=derived("note", caller.workspace, effect.key),
        kind=NoteKind.CAPTURE,
        title=title,
        body=body,
        body_bytes=len(body.encode()),
        tags=tuple(dict.fromkeys(tags)),
        created_at=now,
        updated_at=now,
    )
    return create_once(caller.store, note, effect, by=caller.principal.name, via="mcp")


TOOL = McpTool("notes_create", "Write a note", Arguments, NoteCreated, run, changes=True, repeatable=False)
