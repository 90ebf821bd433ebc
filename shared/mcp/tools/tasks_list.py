"""The tool tasks_list."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import Field

from shared.contracts.tasks import Task
from shared.mcp.tool import Answer, Caller, Camel, McpTool
from shared.store.event_size import cut_text
from shared.store.tasks import TasksWanted

_LISTED, _LISTED_MAX, _NOTES_BYTES = 30, 100, 1_000


class Arguments(Camel):
    done: Annotated[bool | None, Field(description="Only open (false) or only done ones (true); else both.")] = None
    due_before: Annotated[date | None, Field(description="Only those due before this day, YYYY-MM-DD.")] = None
    limit: Annotated[int, Field(ge=1, le=_LISTED_MAX)] = _LISTED
    cursor: Annotated[str | None, Field(max_length=4000, description="nextCursor of an earlier answer.")] = None


class ListedTask(Answer):
    task_id: str
    title: str
    notes: str | None = None
    due: date | None = None
    done: bool
    source_note_id: str | None = None


class TasksListed(Answer):
    tasks: tuple[ListedTask, ...]
    next_cursor: str | None = None


def run(caller: Caller, arguments: Arguments) -> TasksListed:
    """List tasks: open ones by due day, those without one last; then done ones, newest first."""
    wanted = TasksWanted(arguments.limit, arguments.done, arguments.due_before, arguments.cursor)
    page = caller.store.tasks.list(wanted)
    return TasksListed(tasks=tuple(map(_shown, page.tasks)), next_cursor=page.next_cursor)


def _shown(task: Task) -> ListedTask:
    return ListedTask(
        task_id=task.id,
        title=task.title,
        notes=cut_text(task.notes, _NOTES_BYTES) or None,
        due=task.due,
        done=task.done,
        source_note_id=task.source_note_id,
    )


TOOL = McpTool("tasks_list", "List tasks", Arguments, TasksListed, run)
