"""The tool make_digest: the note that the routines would write, at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from shared.contracts.base import Model
from shared.contracts.days import Day
from shared.contracts.routines import RoutineKind
from shared.tools.tool import Job, Preview, Tool


class Arguments(Model):
    kind: Annotated[RoutineKind, Field(description="digest tells of a day, review of a week.")]
    day: Annotated[
        Day | None, Field(description="YYYY-MM-DD: that day, or the week it lies in; today where it is left out.")
    ] = None


def run(job: Job, arguments: Arguments) -> Mapping[str, Any]:
    """Write the digest of a day or the review of a week as a note, or bring the one that is there up to date, and
    answer its note_id. Use it whenever a digest or a review is asked for, instead of composing one by yourself."""
    return job.services.make_digest(arguments.kind, arguments.day, job.effect, job.cut, job.spend)


def preview(_job: Job, arguments: Arguments) -> Preview:
    day = arguments.day.isoformat() if arguments.day is not None else "today"
    what = f"the digest of {day}" if arguments.kind is RoutineKind.DIGEST else f"the review of the week of {day}"
    return Preview(f"Write {what}", after=arguments.model_dump(mode="json"))


TOOL = Tool("make_digest", Arguments, run, preview, timeout_seconds=150.0, repeatable=False)
