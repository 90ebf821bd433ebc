"""Changing a task."""

from __future__ import annotations

from typing import Any

from shared.clock import Clock
from shared.contracts.tasks import Task, TaskPatch
from shared.errors import NotFound
from shared.store.changing import Change
from shared.store.effects import EACH_TIME, Effect, Once
from shared.store.tasks import task_fields
from shared.store.workspace import WorkspaceStore
from shared.store.writes import Snapshot


def patch(store: WorkspaceStore, task_id: str, request: TaskPatch, *, clock: Clock) -> Task:
    """Change what `request` gives, and answer the task. What changes nothing writes nothing. Raises NotFound."""
    _apply(store, task_id, request, clock, EACH_TIME)
    return store.tasks.get(task_id)


def patch_once(
    store: WorkspaceStore, task_id: str, request: TaskPatch, effect: Effect, *, clock: Clock
) -> dict[str, Any]:
    """The same, once for the effect: answers {task_id, changed: [field]}. Raises NotFound, Stale."""
    if not effect.happened:
        _apply(store, task_id, request, clock, effect)
    return effect.settle({"task_id": task_id, "changed": []})


def _apply(store: WorkspaceStore, task_id: str, request: TaskPatch, clock: Clock, effect: Once) -> None:
    def decide(stored: Task | None, current: Snapshot) -> Change | None:
        if effect.happened:
            return None
        if stored is None:
            raise NotFound(f"There is no task {task_id}.")
        effect.check(current)
        after = changed(stored, request, clock)
        names = differing(stored, after)
        if not names:
            return None
        return Change(task_fields(after), effect.writes({"task_id": task_id, "changed": names}))

    store.tasks.change(task_id, decide, point="task.patch")


def changed(task: Task, request: TaskPatch, clock: Clock) -> Task:
    """The task as it would be; the moments only move where something else does."""
    given = {name: getattr(request, name) for name in request.model_fields_set}
    fields = {name: value for name, value in given.items() if value is not None or name == "due"}
    after = task.model_copy(update=fields)
    if after == task:
        return task
    now = clock.now()
    done_at = None if not after.done else task.done_at if task.done else now
    return after.model_copy(update={"done_at": done_at, "updated_at": now})


def differing(before: Task, after: Task) -> list[str]:
    """The fields a person sees that differ."""
    return [name for name in TaskPatch.model_fields if getattr(before, name) != getattr(after, name)]
