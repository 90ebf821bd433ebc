"""The tool start_research."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared.contracts.base import Model
from shared.store.effects import revision_of
from shared.tools.note_reading import named, note_and_document
from shared.tools.quoting import quoted
from shared.tools.tool import Job, Preview, Tool


class Arguments(Model):
    note_id: str


def run(job: Job, arguments: Arguments) -> Mapping[str, Any]:
    """Start a research run on a captured note and answer its operation_id. It costs money and takes minutes: only when
    it was asked for. A run that is under way is joined, not doubled."""
    return {"operation_id": job.services.start_research(arguments.note_id, job.effect), "note_id": arguments.note_id}


def preview(job: Job, arguments: Arguments) -> Preview:
    note, found = note_and_document(job, arguments.note_id)
    return Preview(
        f"Research the note {quoted(named(note.title, note.body))} (costs money)",
        target=found.path,
        revision=revision_of(found),
        after={"note_id": arguments.note_id},
    )


TOOL = Tool("start_research", Arguments, run, preview, timeout_seconds=30.0)
