"""Tasks: what is to be done, by when."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

from pydantic import AfterValidator, Field, StrictBool, StringConstraints, field_validator

from shared.contracts.base import Model, Stored, UtcDatetime
from shared.contracts.days import Day
from shared.contracts.limits import TASK_NOTES_CHARACTERS, TASK_TITLE_CHARACTERS, TASKS_AT_ONCE
from shared.contracts.texts import named


class Task(Stored):
    """workspaces/{workspace}/tasks/{id}."""

    id: str
    title: str
    notes: str = ""
    due: date | None = None
    """A day, without a time of day."""
    done: bool = False
    done_at: UtcDatetime | None = None
    source_note_id: str | None = None
    """The note it came from."""
    created_at: UtcDatetime
    updated_at: UtcDatetime


TaskTitle = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=TASK_TITLE_CHARACTERS),
    AfterValidator(named),
]
TaskNotes = Annotated[str, StringConstraints(max_length=TASK_NOTES_CHARACTERS)]


class TaskCreate(Model):
    """POST /api/v1/tasks. Idempotency-Key (a header) names the task: the same key twice is one task."""

    title: TaskTitle
    notes: TaskNotes = ""
    due: Day | None = None
    source_note_id: str | None = None


class TaskPatch(Model):
    """PATCH /api/v1/tasks/{id}: only what is given changes; `due` null takes the date away."""

    title: TaskTitle | None = None
    notes: TaskNotes | None = None
    due: Day | None = None
    done: StrictBool | None = None

    @field_validator("title", "notes", "done", mode="before")
    @classmethod
    def _not_null(cls, given: Any) -> Any:
        if given is None:
            raise ValueError("leave it out to keep it as it is; null takes away a due day alone")
        return given


class TasksCreate(Model):
    """What the tool create_tasks takes."""

    tasks: Annotated[tuple[TaskCreate, ...], Field(min_length=1, max_length=TASKS_AT_ONCE)]


class TaskAnswer(Model):
    task: Task


class TasksAnswer(Model):
    """Open ones by due date, those without one last; done ones newest first."""

    tasks: tuple[Task, ...]
    next_cursor: str | None = None
