"""The tool start_research."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from shared.contracts.base import Model
from shared.store.effects import revision_of
from shared.tools.note_reading import named, note_and_document
from shared.tools.quoting import quoted
from shared.tools.tool import Job, Preview, Tool

PLAN_WAITS = (
    "The plan comes in a few minutes, with what the run may cost, and waits for approval on the operation's page."
)


class Arguments(Model):
    note_id: str
    plan_first: Annotated[
        bool | None,
        Field(description="True when the plan is to be shown first: the person then approves it, and you cannot."),
    ] = None


def run(job: Job, arguments: Arguments) -> Mapping[str, Any]:
    """Start a research run on a captured note and answer its operation_id. It costs money and takes minutes: only when
    it was asked for. A run that is under way is joined, not doubled."""
    operation_id = job.services.start_research(arguments.note_id, job.effect, plan=arguments.plan_first)
    waits = {"next": PLAN_WAITS} if arguments.plan_first else {}
    return {"operation_id": operation_id, "note_id": arguments.note_id, **waits}


def preview(job: Job, arguments: Arguments) -> Preview:
    note, found = note_and_document(job, arguments.note_id)
    what = "plan first" if arguments.plan_first else "costs money"
    return Preview(
        f"Research the note {quoted(named(note.title, note.body))} ({what})",
        target=found.path,
        revision=revision_of(found),
        after={"note_id": arguments.note_id},
    )


TOOL = Tool("start_research", Arguments, run, preview, timeout_seconds=30.0)
