"""The tool update_note."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from shared.contracts.base import Model
from shared.contracts.limits import NOTE_SUMMARY_CHARACTERS
from shared.contracts.notes import NotePatch, Tags
from shared.errors import InputError
from shared.notes.patch import Author, patch_once
from shared.store.effects import revision_of
from shared.store.event_size import cut_text
from shared.tools.limits import BODY_CHARACTERS, SHOWN_BYTES
from shared.tools.note_reading import named, note_and_document
from shared.tools.quoting import quoted
from shared.tools.tool import Job, Preview, Tool


class Changes(Model):
    """Only what is given changes."""

    summary: Annotated[str, StringConstraints(strip_whitespace=True, max_length=NOTE_SUMMARY_CHARACTERS)] | None = None
    body: Annotated[
        Annotated[str, StringConstraints(max_length=BODY_CHARACTERS)] | None,
        Field(description="The whole new body, in Markdown: it takes the place of the old one."),
    ] = None
    tags: Annotated[
        Tags | None,
        Field(description="All tags it then has. Adding research starts a paid research run: only when asked for."),
    ] = None


class Arguments(Model):
    note_id: str
    changes: Changes


def run(job: Job, arguments: Arguments) -> Mapping[str, Any]:
    """Change a note's summary, body or tags. Read the note first: a body or tags that are given replace the old."""
    patch, by = _patch(arguments), Author("user", job.actor)
    return patch_once(job.store, arguments.note_id, patch, job.effect, clock=job.clock, by=by)


def preview(job: Job, arguments: Arguments) -> Preview:
    patch = _patch(arguments)
    note, found = note_and_document(job, arguments.note_id)
    names = [name for name in patch.model_fields_set if getattr(note, name) != getattr(patch, name)]
    return Preview(
        f"Change the note {quoted(named(note.title, note.body))}",
        target=found.path,
        revision=revision_of(found),
        before={name: _shown(getattr(note, name)) for name in names},
        after={name: _shown(getattr(patch, name)) for name in names},
    )


def _patch(arguments: Arguments) -> NotePatch:
    given = arguments.changes.model_dump(exclude_none=True)
    if not given:
        raise InputError("changes: give at least one of summary, body, tags", field="changes")
    return NotePatch(**given)


def _shown(value: Any) -> Any:
    return cut_text(value, SHOWN_BYTES) if isinstance(value, str) else list(value)


TOOL = Tool("update_note", Arguments, run, preview)
