"""workspaces/{workspace}/tasks: read, list by what is due, change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, timezone
from typing import Any

from shared.contracts.tasks import Task
from shared.cursors import cursor_of, key_in, not_ours
from shared.errors import InputError, NotFound
from shared.store import paths
from shared.store.changing import Change, Changed, Changing
from shared.store.database import Database, Filter, Query
from shared.store.documents import parsed, well_formed
from shared.store.writes import Snapshot, Write, create, delete

NO_DATE = "9999-12-31"
"""Stands for no due date where tasks are ordered, so that those come last."""


@dataclass(frozen=True)
class TasksWanted:
    """`done` None: open ones first, then those that are done. `due_before` leaves out tasks without a date."""

    limit: int
    done: bool | None = None
    due_before: date | None = None
    cursor: str | None = None

    @property
    def legs(self) -> tuple[bool, ...]:
        return (False, True) if self.done is None else (self.done,)


@dataclass(frozen=True)
class TasksPage:
    tasks: tuple[Task, ...]
    next_cursor: str | None


@dataclass(frozen=True)
class _Place:
    """Where a page goes on: in the list of open or of done tasks, behind a document."""

    done: bool
    after: tuple[Any, str] | None = None


DecideTask = Callable[[Task | None, Snapshot], Change | None]


class Tasks:
    def __init__(self, database: Database, changing: Changing) -> None:
        self._database, self._changing = database, changing

    def find(self, task_id: str) -> Task | None:
        return task_of(self._database.get(paths.task(task_id)))

    def get(self, task_id: str) -> Task:
        """Raises NotFound, Malformed."""
        return self.read(task_id)[0]

    def read(self, task_id: str) -> tuple[Task, Snapshot]:
        """The task and its document. Raises NotFound, Malformed."""
        found = self._database.get(paths.task(task_id))
        task = task_of(found)
        if task is None:
            raise NotFound(f"There is no task {task_id}.")
        return task, found

    def list(self, wanted: TasksWanted) -> TasksPage:
        """Open ones by due date, those without one last; then done ones, newest first. Raises InputError."""
        tasks: list[Task] = []
        places = _from(wanted)
        while places:
            place = places.pop(0)
            room = wanted.limit - len(tasks)
            found = self._database.query("tasks", _query(wanted, place, room + 1))
            tasks += well_formed(Task, found[:room])
            if len(found) > room:
                last = found[room - 1] if room else None
                after = (_key(wanted, place, last), last.id) if last else place.after
                return TasksPage(tuple(tasks), _cursor(replace(place, after=after)))
        return TasksPage(tuple(tasks), None)

    def change(self, task_id: str, decide: DecideTask, *, point: str) -> Changed:
        """`Changing.change` on a task."""
        return self._changing.change(
            paths.task(task_id), lambda current: decide(task_of(current), current), point=point
        )

    def delete(self, task_id: str) -> None:
        """Take the task away; raises NotFound when there is none."""
        self.read(task_id)
        self._database.commit([delete(paths.task(task_id))], "task.delete")


def task_of(found: Snapshot) -> Task | None:
    return None if found.fields is None else parsed(Task, found.fields, found.path)


def task_fields(task: Task) -> dict[str, Any]:
    """The document of a task: its day as text, and what it is ordered by."""
    due = task.due.isoformat() if task.due is not None else None
    return task.model_dump() | {"due": due, "due_order": due or NO_DATE}


def creating(task: Task) -> Write:
    """The write of a new task; to be committed together with what causes it."""
    return create(paths.task(task.id), task_fields(task))


def _query(wanted: TasksWanted, place: _Place, limit: int) -> Query:
    by, direction = _order(wanted, place)
    filters: tuple[Filter, ...] = (("done", "==", place.done),)
    if wanted.due_before is not None:
        filters += (("due_order", "<", min(wanted.due_before.isoformat(), NO_DATE)),)
    return Query(limit, filters, ((by, direction), ("__name__", direction)), place.after)


def _order(wanted: TasksWanted, place: _Place) -> tuple[str, str]:
    by_due = not place.done or wanted.due_before is not None
    return ("due_order", "ASCENDING") if by_due else ("done_at", "DESCENDING")


def _key(wanted: TasksWanted, place: _Place, found: Snapshot) -> Any:
    value = (found.fields or {})[_order(wanted, place)[0]]
    return value.isoformat() if isinstance(value, datetime) else value


def _from(wanted: TasksWanted) -> list[_Place]:
    """What is still to be listed, in order."""
    if wanted.cursor is None:
        return [_Place(done) for done in wanted.legs]
    place = _parsed(wanted.cursor)
    if place.done not in wanted.legs:
        raise not_ours()
    if place.after is not None and _order(wanted, place)[0] == "done_at":
        place = replace(place, after=(_moment(place.after[0]), place.after[1]))
    return [place, *(_Place(done) for done in wanted.legs if done and not place.done)]


def _cursor(place: _Place) -> str:
    return cursor_of([place.done, *(place.after or ())])


def _parsed(cursor: str) -> _Place:
    key = key_in(cursor)
    try:
        done, *after = key
        if not isinstance(done, bool) or not all(isinstance(each, str) for each in after):
            raise ValueError("not a cursor")
        return _Place(done, (after[0], paths.segment(after[1])) if after else None)
    except (ValueError, IndexError, InputError) as error:
        raise not_ours() from error


def _moment(text: Any) -> datetime:
    try:
        return datetime.fromisoformat(text).astimezone(timezone.utc)
    except (ValueError, OverflowError) as error:
        raise not_ours() from error
