"""Tasks: made once, changed, listed in the order a person works through them."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from google.cloud.firestore_v1 import Client

from shared.api import parameters
from shared.contracts.tasks import Task, TaskCreate, TaskPatch
from shared.errors import InputError, NotFound, Unprocessable
from shared.store.tasks import TasksWanted
from shared.store.workspace import WorkspaceStore
from shared.tasks.create import create
from shared.tasks.patch import patch
from tests.support.seams import CountingIds, FakeClock
from tests.support.stores import Flaky


def make(store: WorkspaceStore, clock: FakeClock, title: str, due: str | None = None, key: str | None = None) -> Task:
    clock.advance(1)
    request = TaskCreate(title=title, due=date.fromisoformat(due) if due else None)
    return create(store, request, clock=clock, ids=CountingIds(title), key=key).task


def titles(store: WorkspaceStore, **wanted: Any) -> list[str]:
    """All pages of two."""
    found: list[str] = []
    cursor = None
    while True:
        page = store.tasks.list(TasksWanted(2, cursor=cursor, **wanted))
        found += [task.title for task in page.tasks]
        cursor = page.next_cursor
        if cursor is None:
            return found


@pytest.fixture
def filled(store: WorkspaceStore, clock: FakeClock) -> WorkspaceStore:
    for title, due in (("never", None), ("late", "2026-12-24"), ("soon", "2026-12-01"), ("a", None), ("b", None)):
        make(store, clock, title, due)
    for title in ("a", "b"):
        clock.advance(1)
        patch(store, f"{title}-1", TaskPatch(done=True), clock=clock)
    return store


def test_open_ones_come_by_day_then_those_without_then_done_ones(filled: WorkspaceStore) -> None:
    assert titles(filled) == ["soon", "late", "never", "b", "a"]
    assert titles(filled, done=False) == ["soon", "late", "never"] and titles(filled, done=True) == ["b", "a"]


def test_what_is_due_before_a_day(filled: WorkspaceStore) -> None:
    assert titles(filled, due_before=date(2026, 12, 24)) == ["soon"]
    assert titles(filled, due_before=date(2026, 12, 25), done=False) == ["soon", "late"]
    assert titles(filled, due_before=date(9999, 12, 31)) == ["soon", "late"]


@pytest.mark.parametrize("source", ["", " ", "a/b", "..", "__x__", "x" * 1501, "\x00"])
def test_what_can_be_no_id_of_a_note_is_no_source(store: WorkspaceStore, clock: FakeClock, source: str) -> None:
    request = TaskCreate(title="Call", source_note_id=source)
    with pytest.raises(InputError, match="source_note_id"):
        create(store, request, clock=clock, ids=CountingIds("t"), key=None)
    assert titles(store) == []


@pytest.mark.parametrize("text", ["2026-W48-1", "20261130", "2026-11-31", "2026-11-30T00", ""])
def test_a_day_has_one_form(text: str) -> None:
    assert parameters.DUE_BEFORE.parse("2026-11-30") == date(2026, 11, 30)
    with pytest.raises(ValueError, match="must be a day"):
        parameters.DUE_BEFORE.parse(text)


@pytest.mark.parametrize("cursor", ["x", "bnVsbA", "W10", "W3RydWVd" * 3, "WzEsMl0"])
def test_what_is_no_cursor_is_refused(filled: WorkspaceStore, cursor: str) -> None:
    with pytest.raises(InputError) as caught:
        filled.tasks.list(TasksWanted(2, cursor=cursor))
    assert caught.value.details["field"] == "cursor"


def test_a_cursor_of_done_tasks_does_not_fit_open_ones(filled: WorkspaceStore) -> None:
    cursor = filled.tasks.list(TasksWanted(1, done=True)).next_cursor
    with pytest.raises(InputError):
        filled.tasks.list(TasksWanted(1, done=False, cursor=cursor))


def test_a_malformed_task_is_left_out_and_refused_by_name(filled: WorkspaceStore, firestore: Client) -> None:
    bad = {"title": 5, "done": False, "due_order": "2026-01-01"}
    firestore.document(f"workspaces/{filled.workspace}/tasks/bad").set(bad)
    assert titles(filled, done=False) == ["soon", "late", "never"]


def test_the_same_key_is_the_same_task_and_another_request_is_refused(store: WorkspaceStore, clock: FakeClock) -> None:
    assert make(store, clock, "x", key="k") == make(store, clock, "x", key="k")
    with pytest.raises(Unprocessable):
        make(store, clock, "y", key="k")


@pytest.mark.parametrize("plan", [["lost"], ["dropped"], ["aborted"]])
def test_a_lost_answer_is_one_task_that_was_made_by_this_call(
    store: WorkspaceStore, clock: FakeClock, flaky: Flaky, plan: list[str]
) -> None:
    made = create(flaky(store, plan), TaskCreate(title="x"), clock=clock, ids=CountingIds(), key="k")
    assert made.created and titles(store) == ["x"]


def test_only_what_is_given_changes_and_nothing_is_no_change(store: WorkspaceStore, clock: FakeClock) -> None:
    task = make(store, clock, "x", "2026-12-01")
    clock.advance(5)
    assert patch(store, task.id, TaskPatch(), clock=clock) == task
    assert patch(store, task.id, TaskPatch(title="x"), clock=clock) == task
    after = patch(store, task.id, TaskPatch(notes="n"), clock=clock)
    assert (after.notes, after.due, after.updated_at) == ("n", task.due, clock.now())


def test_done_keeps_its_first_moment(store: WorkspaceStore, clock: FakeClock) -> None:
    task = make(store, clock, "x")
    first = patch(store, task.id, TaskPatch(done=True), clock=clock)
    clock.advance(60)
    assert patch(store, task.id, TaskPatch(done=True, title="y"), clock=clock).done_at == first.done_at


def test_a_deleted_task_is_gone(store: WorkspaceStore, clock: FakeClock) -> None:
    task = make(store, clock, "x")
    store.tasks.delete(task.id)
    for call in (lambda: store.tasks.get(task.id), lambda: store.tasks.delete(task.id)):
        with pytest.raises(NotFound):
            call()
