"""The tool notes_create."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from shared.contracts.notes import NoteCreate, Tags, Title
from shared.mcp.keys import Key, effect_of
from shared.mcp.tool import Answer, Caller, Camel, McpTool
from shared.notes.create import capture_once

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
    wanted = NoteCreate(title=arguments.title, body=arguments.body, tags=arguments.tags)
    who, now = caller.principal.name, caller.app.clock.now()
    stored = capture_once(caller.store, wanted, effect, now=now, by=who, via="mcp")
    return NoteCreated(note_id=stored["note_id"], title=stored["title"], tags=tuple(stored["tags"]))


TOOL = McpTool("notes_create", "Write a note", Arguments, NoteCreated, run, changes=True, repeatable=False)
