"""The tool research_start."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints, model_validator

from shared.contracts.notes import NoteCreate, Title
from shared.mcp.keys import Key, effect_of
from shared.mcp.tool import Answer, Caller, Camel, McpTool
from shared.mcp.tools.notes_create import NOTE_CHARACTERS
from shared.notes.create import capture_once


class Arguments(Camel):
    question: Annotated[
        str | None,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=NOTE_CHARACTERS),
        Field(description="What to find out; it becomes a note."),
    ] = None
    title: Annotated[Title, Field(description="Of the note that the question becomes.")] = ""
    note_id: Annotated[
        str | None, Field(min_length=1, max_length=1500, description="Instead of a question: a captured note.")
    ] = None
    plan_first: Annotated[
        bool | None,
        Field(description="True: the plan is shown first, and waits for the person's approval before money is spent."),
    ] = None
    key: Key = None

    @model_validator(mode="after")
    def _one_of_them(self) -> Arguments:
        if (self.question is None) == (self.note_id is None):
            raise ValueError("give a question, or the noteId of a captured note")
        return self


class ResearchStarted(Answer):
    operation_id: str
    note_id: str


def run(caller: Caller, arguments: Arguments) -> ResearchStarted:
    """Start a research run on a question or on a captured note. It costs money and takes minutes: only when the person
    asked for it. The report becomes a note. A run that is under way on that note is joined, not doubled."""
    key = arguments.key if arguments.key is not None else caller.app.ids.fresh()
    note_id = arguments.note_id or _asked(caller, arguments, key)
    effect = effect_of(caller, TOOL.name, key, "start")
    operation_id = caller.app.services(caller.workspace).start_research(note_id, effect, plan=arguments.plan_first)
    return ResearchStarted(operation_id=operation_id, note_id=note_id)


def _asked(caller: Caller, arguments: Arguments, key: str) -> str:
    """The note of the question."""
    effect = effect_of(caller, TOOL.name, key, "note")
    wanted = NoteCreate(title=arguments.title, body=arguments.question or "")
    who, now = caller.principal.name, caller.app.clock.now()
    return str(capture_once(caller.store, wanted, effect, now=now, by=who, via="mcp")["note_id"])


TOOL = McpTool("research_start", "Start research", Arguments, ResearchStarted, run, changes=True, repeatable=False)
