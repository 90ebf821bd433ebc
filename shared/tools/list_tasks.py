"""The tool list_tasks."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any

from pydantic import Field

from shared.contracts.base import Model
from shared.contracts.tasks import Task
from shared.store.event_size import cut_text
from shared.store.tasks import TasksWanted
from shared.tools.tool import Job, Tool

_LISTED, _LISTED_MAX, _NOTES_BYTES = 30, 100, 400


class Arguments(Model):
    done: Annotated[bool | None, Field(description="Only open (false) or only done ones (true); else both.")] = None
    due_before: Annotated[date | None, Field(description="Only those due before this day, YYYY-MM-DD.")] = None
    limit: Annotated[int, Field(ge=1, le=_LISTED_MAX)] = _LISTED


def run(job: Job, arguments: Arguments) -> Mapping[str, Any]:
    """List tasks: open ones by due day, those without one last; then done ones, newest first."""
    page = job.store.tasks.list(TasksWanted(arguments.limit, arguments.done, arguments.due_before))
    return {"tasks": [shown(task) for task in page.tasks], "more": page.next_cursor is not None}


def shown(task: Task) -> dict[str, Any]:
    """A task as a model sees it; what is empty is left out."""
    fields = {
        "task_id": task.id,
        "title": task.title,
        "notes": cut_text(task.notes, _NOTES_BYTES),
        "due": task.due.isoformat() if task.due is not None else None,
        "done": task.done,
        "source_note_id": task.source_note_id,
    }
    return {name: value for name, value in fields.items() if value not in (None, "")}


TOOL = Tool("list_tasks", Arguments, run)
