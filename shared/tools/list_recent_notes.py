"""The tool list_recent_notes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from shared.contracts.base import Model
from shared.contracts.notes import NoteKind, Tag
from shared.store.notes import NotesWanted
from shared.tools.limits import NOTES_LISTED, NOTES_LISTED_MAX
from shared.tools.note_reading import excerpt, facts
from shared.tools.tool import Job, Tool


class Arguments(Model):
    limit: Annotated[int, Field(ge=1, le=NOTES_LISTED_MAX)] = NOTES_LISTED
    kind: NoteKind | None = None
    tag: Tag | None = None


def run(job: Job, arguments: Arguments) -> Mapping[str, Any]:
    """List the newest notes, each with its id, title, kind, tags, moment and the beginning of its text; of one kind or
    with one tag where that is given."""
    kind = arguments.kind.value if arguments.kind is not None else None
    page = job.store.notes.list(NotesWanted(arguments.limit, kind=kind, tag=arguments.tag))
    return {
        "notes": [{**facts(note), "excerpt": excerpt(note)} for note in page.notes],
        "more": page.next_cursor is not None,
    }


TOOL = Tool("list_recent_notes", Arguments, run)
