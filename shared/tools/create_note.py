"""The tool create_note."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from shared.contracts.base import Model
from shared.contracts.notes import NoteCreate, Tags, Title
from shared.notes.create import capture_once
from shared.tools.limits import BODY_CHARACTERS
from shared.tools.note_reading import named
from shared.tools.quoting import quoted
from shared.tools.tool import Job, Preview, Tool


class Arguments(Model):
    title: Title = ""
    body: Annotated[str, StringConstraints(min_length=1, max_length=BODY_CHARACTERS), Field(description="Markdown.")]
    tags: Annotated[
        Tags, Field(description="One word each. The tag research starts a paid research run: only when asked for.")
    ] = ()


def run(job: Job, arguments: Arguments) -> Mapping[str, Any]:
    """Write a new note with a title, a body in Markdown and tags, and answer its id."""
    wanted = NoteCreate(title=arguments.title, body=arguments.body, tags=arguments.tags)
    return capture_once(job.store, wanted, job.effect, now=job.clock.now(), by="user", via=job.actor)


def preview(_job: Job, arguments: Arguments) -> Preview:
    name = quoted(named(arguments.title, arguments.body))
    return Preview(f"Write the note {name}", after=arguments.model_dump(mode="json"))


TOOL = Tool("create_note", Arguments, run, preview)
