"""Creating tasks: one for a person, once for each idempotency key; several for a tool, once for its effect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from shared.clock import Clock
from shared.contracts.tasks import Task, TaskCreate
from shared.errors import InputError
from shared.ids import IdSource, derived
from shared.store.changing import Change
from shared.store.effects import Effect
from shared.store.idempotency import asked, check_same
from shared.store.paths import is_segment
from shared.store.tasks import creating, task_fields
from shared.store.workspace import WorkspaceStore
from shared.store.writes import Snapshot


@dataclass(frozen=True)
class Created:
    """The stored task, and whether this call made it."""

    task: Task
    created: bool


def create(store: WorkspaceStore, request: TaskCreate, *, clock: Clock, ids: IdSource, key: str | None) -> Created:
    """Store a task; the same `key` in the same workspace is the same task.

    Raises Unprocessable when the key was used with another request, InputError when the source's id can be none.
    """
    task = _task(derived("task", store.workspace, key) if key is not None else ids.fresh(), request, clock)

    def decide(stored: Task | None, current: Snapshot) -> Change | None:
        if stored is None:
            return Change(task_fields(task) | asked(request))
        check_same(request, current.fields, "task")
        return None

    changed = store.tasks.change(task.id, decide, point="task.create")
    return Created(task if changed.changed else store.tasks.get(task.id), changed.changed)


def create_once(store: WorkspaceStore, wanted: Sequence[TaskCreate], effect: Effect, *, clock: Clock) -> dict[str, Any]:
    """Store all tasks in one commit, once for the effect. Answers {tasks: [{task_id, title, due}]}.

    Raises InputError when the id of a source can be none.
    """
    ids = (derived("task", store.workspace, effect.key, str(number)) for number in range(len(wanted)))
    tasks = [_task(task_id, request, clock) for task_id, request in zip(ids, wanted, strict=True)]
    answer = {"tasks": [{"task_id": each.id, "title": each.title, "due": _day(each)} for each in tasks]}
    return effect.settle(answer, lambda: tuple(creating(each) for each in tasks))


def _task(task_id: str, request: TaskCreate, clock: Clock) -> Task:
    source = request.source_note_id
    if source is not None and not (source.strip() and is_segment(source)):
        message = "source_note_id: an id is 1 to 1500 bytes without a slash; leave it out for a task of no note"
        raise InputError(message, field="source_note_id")
    now = clock.now()
    return Task(id=task_id, created_at=now, updated_at=now, **request.model_dump())


def _day(task: Task) -> str | None:
    return task.due.isoformat() if task.due is not None else None
