"""What tools change, they change once, whoever repeats the call and whatever becomes of an answer on its way."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from shared.contracts.notes import NoteCreate
from shared.contracts.tasks import TaskCreate
from shared.notes.create import create
from shared.notes.delete import delete
from shared.store import paths
from shared.store.notes import NotesWanted
from shared.store.tasks import TasksWanted
from shared.store.workspace import WorkspaceStore
from shared.tasks.create import create as create_task
from shared.tools.catalogue import acting
from shared.tools.registry import Outcome
from tests.support.jobs import job
from tests.support.seams import CountingIds, FakeClock
from tests.support.stores import Flaky

CHANGES: list[tuple[str, dict[str, Any]]] = [
    ("create_note", {"title": "T", "body": "B", "tags": ["a"]}),
    ("create_tasks", {"tasks": [{"title": "one"}, {"title": "two", "due": "2026-12-01"}]}),
    ("update_note", {"note_id": "n-1", "changes": {"summary": "S", "tags": ["b"]}}),
    ("update_task", {"task_id": "t-1", "changes": {"done": True}}),
]
changes = pytest.mark.parametrize(("name", "arguments"), CHANGES, ids=[name for name, _ in CHANGES])


@pytest.fixture(autouse=True)
def there(store: WorkspaceStore, clock: FakeClock) -> None:
    create(store, NoteCreate(title="Old", body="Body", tags=("a",)), clock=clock, ids=CountingIds("n"), key=None)
    create_task(store, TaskCreate(title="Task"), clock=clock, ids=CountingIds("t"), key=None)


def call(store: WorkspaceStore, clock: FakeClock, name: str, arguments: dict[str, Any], key: str = "k1") -> Outcome:
    return acting().call(job(store, clock, key), name, arguments)


def counts(store: WorkspaceStore) -> tuple[int, int, int]:
    """Notes, tasks, and events of the note that was there."""
    notes, tasks = store.notes.list(NotesWanted(50)).notes, store.tasks.list(TasksWanted(50)).tasks
    return len(notes), len(tasks), len(store.streams.read(paths.note("n-1")))


@changes
def test_the_same_call_again_answers_the_same_and_changes_nothing(
    store: WorkspaceStore, clock: FakeClock, name: str, arguments: dict[str, Any]
) -> None:
    first = call(store, clock, name, arguments)
    assert first.ok, first.result
    there = counts(store)
    clock.advance(60)
    again = call(store, clock, name, arguments)
    assert (again.ok, again.result) == (True, first.result) and counts(store) == there


@changes
def test_three_at_once_are_one(store: WorkspaceStore, clock: FakeClock, name: str, arguments: dict[str, Any]) -> None:
    before = counts(store)
    with ThreadPoolExecutor(3) as pool:
        outcomes = list(pool.map(lambda _: call(store, clock, name, arguments), range(3)))
    assert [outcome.ok for outcome in outcomes] == [True] * 3, outcomes
    assert outcomes[0].result == outcomes[1].result == outcomes[2].result
    made = {"create_note": (1, 0, 0), "create_tasks": (0, 2, 0), "update_note": (0, 0, 1), "update_task": (0, 0, 0)}
    assert tuple(after - earlier for after, earlier in zip(counts(store), before, strict=True)) == made[name]


@changes
@pytest.mark.parametrize("plan", [["lost"], ["dropped"], ["aborted", "lost"]], ids="+".join)
def test_a_lost_answer_is_no_second_change(
    store: WorkspaceStore, clock: FakeClock, flaky: Flaky, name: str, arguments: dict[str, Any], plan: list[str]
) -> None:
    outcome = call(flaky(store, plan), clock, name, arguments)
    assert outcome.ok, outcome.result
    there = counts(store)
    assert call(store, clock, name, arguments).result == outcome.result and counts(store) == there


def test_another_key_is_another_change(store: WorkspaceStore, clock: FakeClock) -> None:
    first, second = (call(store, clock, "create_note", {"body": "B"}, key) for key in ("k1", "k2"))
    assert first.result["note_id"] != second.result["note_id"]


def test_what_was_made_and_deleted_since_is_not_made_again(store: WorkspaceStore, clock: FakeClock) -> None:
    made = call(store, clock, "create_note", {"body": "B"})
    delete(store, made.result["note_id"], by="me")
    assert call(store, clock, "create_note", {"body": "B"}).result == made.result
    assert store.notes.find(made.result["note_id"]) is None


def test_a_note_says_on_whose_word_it_was_changed(store: WorkspaceStore, clock: FakeClock) -> None:
    call(store, clock, "update_note", {"note_id": "n-1", "changes": {"body": "New"}})
    (event,) = store.streams.read(paths.note("n-1"))
    assert (event.data["by"], event.data["via"]) == ("user", "chat_sessions/s1")
    assert set(event.data["changed"]) == {"body"}


def test_a_change_that_changes_nothing_says_so(store: WorkspaceStore, clock: FakeClock) -> None:
    outcome = call(store, clock, "update_note", {"note_id": "n-1", "changes": {"tags": ["a"]}})
    assert outcome.result == {"note_id": "n-1", "changed": []} and counts(store)[2] == 0


def test_a_due_day_is_taken_away_by_null(store: WorkspaceStore, clock: FakeClock) -> None:
    call(store, clock, "update_task", {"task_id": "t-1", "changes": {"due": "2026-12-01"}}, "k1")
    call(store, clock, "update_task", {"task_id": "t-1", "changes": {"due": None}}, "k2")
    assert store.tasks.get("t-1").due is None


def test_a_task_that_is_done_and_opened_again_has_no_moment(store: WorkspaceStore, clock: FakeClock) -> None:
    call(store, clock, "update_task", {"task_id": "t-1", "changes": {"done": True}}, "k1")
    assert store.tasks.get("t-1").done_at == clock.now()
    call(store, clock, "update_task", {"task_id": "t-1", "changes": {"done": False}}, "k2")
    assert store.tasks.get("t-1").done_at is None


def test_reading_pages_through_a_long_note(store: WorkspaceStore, clock: FakeClock) -> None:
    body = "0123456789" * 3_000
    made = call(store, clock, "create_note", {"body": body})
    read, offset = "", 0
    while True:
        page = call(store, clock, "read_note", {"note_id": made.result["note_id"], "offset": offset}).result
        read += page["body"]
        if "next_offset" not in page:
            break
        offset = page["next_offset"]
    assert read == body
