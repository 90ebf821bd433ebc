"""The tool update_task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared.contracts.base import Model
from shared.contracts.tasks import TaskPatch
from shared.errors import InputError
from shared.store.effects import revision_of
from shared.tasks.patch import changed, differing, patch_once
from shared.tools.quoting import quoted
from shared.tools.tool import Job, Preview, Tool


class Arguments(Model):
    task_id: str
    changes: TaskPatch


def run(job: Job, arguments: Arguments) -> Mapping[str, Any]:
    """Change a task: its title, notes, due day (YYYY-MM-DD, or null to take it away), or done. Only what is given
    changes."""
    _something(arguments)
    return patch_once(job.store, arguments.task_id, arguments.changes, job.effect, clock=job.clock)


def preview(job: Job, arguments: Arguments) -> Preview:
    _something(arguments)
    task, found = job.store.tasks.read(arguments.task_id)
    after = changed(task, arguments.changes, job.clock)
    names = set(differing(task, after))
    return Preview(
        f"Change the task {quoted(task.title)}",
        target=found.path,
        revision=revision_of(found),
        before=task.model_dump(mode="json", include=names),
        after=after.model_dump(mode="json", include=names),
    )


def _something(arguments: Arguments) -> None:
    if not arguments.changes.model_fields_set:
        raise InputError("changes: give at least one of title, notes, due, done", field="changes")


TOOL = Tool("update_task", Arguments, run, preview)
