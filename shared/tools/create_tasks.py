"""The tool create_tasks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared.contracts.tasks import TasksCreate
from shared.tasks.create import create_once
from shared.tools.quoting import quoted
from shared.tools.tool import Job, Preview, Tool


def run(job: Job, arguments: TasksCreate) -> Mapping[str, Any]:
    """Add one or several tasks: a title, and where they are known a due day (YYYY-MM-DD), notes and the id of the note
    each came from. All of them or none."""
    return create_once(job.store, arguments.tasks, job.effect, clock=job.clock)


def preview(_job: Job, arguments: TasksCreate) -> Preview:
    first, *more = arguments.tasks
    title = f"Add the task {quoted(first.title)}" + (f" and {len(more)} more" if more else "")
    return Preview(title, after=arguments.model_dump(mode="json"))


TOOL = Tool("create_tasks", TasksCreate, run, preview)
