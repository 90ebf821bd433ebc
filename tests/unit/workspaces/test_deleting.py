"""The deletion of a workspace: nothing of it is left, another is not touched, and at first there is a way back."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from google.cloud.firestore_v1 import Client

from shared.contracts.members import Role
from shared.contracts.sessions import CheckpointEnvelope
from shared.contracts.spending import SpendingSwitch
from shared.contracts.workspace_deletions import DeletionStartRequest, DeletionStatus, DeletionStepRequest
from shared.contracts.workspaces_api import WorkspaceCreate
from shared.errors import Conflict, NotFound, Transient, WorkspaceClosed
from shared.store.deletions import Deletions
from shared.store.spending import SpendingSwitches
from shared.store.writes import put
from shared.workspaces.creating import FREE_AFTER
from shared.workspaces.marking import GRACE
from tests.support.seams import FakeClock
from tests.unit.workspaces.house import DAY, House


@pytest.fixture
def house(firestore: Client, clock: FakeClock) -> Iterator[House]:
    house = House(firestore, clock)
    yield house
    for one in firestore.collection("workspace_deletions").list_documents():
        one.delete()  # the sweep of another test would see it


@pytest.fixture
def full(house: House) -> House:
    house.furnish(house.name)
    house.furnish(house.other)
    return house


def test_nothing_of_a_deleted_workspace_is_left_and_another_is_as_it_was(full: House) -> None:
    before, other = full.everything(full.name), full.everything(full.other)
    deletion = full.workspaces.delete(full.name, by="token-1", now=True)
    assert (deletion.status, deletion.requested_by) == (DeletionStatus.MARKED, "token-1")
    assert full.executions.started == [("workspace_deletion", {"workspace": full.name})]
    assert full.run() == "completed"
    assert full.everything(full.name) == {}
    assert full.everything(full.other) == other
    ended = full.deletion
    assert (ended.documents, ended.files) == (len(before) - 5, 5)
    assert (ended.status, ended.phase, ended.execution) == (DeletionStatus.COMPLETED, "done", None)


def test_checkpoints_of_conversations_outside_go_too(full: House) -> None:
    for owner, session_id in ((full.name, "s1"), (full.name, "s2"), (full.other, "s3")):
        full.sessions.persist(session_id, envelope(owner, full.clock))
    full.workspaces.delete(full.name, by="", now=True)
    assert full.run() == "completed"
    assert full.sessions.list_by_user(full.name).entries == ()
    assert [one.session_id for one in full.sessions.list_by_user(full.other).entries] == ["s3"]
    assert full.deletion.sessions == 2


def test_nothing_is_written_into_a_workspace_from_the_mark_on(full: House) -> None:
    store = full.closable(full.name)
    store.members.put("bob@example.com", Role.READER, "")
    full.workspaces.delete(full.name, by="", now=False)
    full.clock.advance(3)
    with pytest.raises(WorkspaceClosed):
        store.members.put("eve@example.com", Role.READER, "")
    assert len(store.members.list()) == 2  # reading goes on
    full.closable(full.other).members.put("eve@example.com", Role.READER, "")


def test_there_is_a_way_back_for_seven_days(full: House) -> None:
    before = full.everything(full.name)
    full.workspaces.delete(full.name, by="", now=False)
    assert full.run() == "waiting"
    assert (full.deletion.execution, full.deletion.look_at) == (None, full.deletion.begins_at)
    full.clock.advance(GRACE.total_seconds() - 60)
    assert full.sweep().deletions == 0
    full.workspaces.restore(full.name)
    full.workspaces.restore(full.name)
    assert full.everything(full.name) == before
    full.clock.advance(3)
    full.closable(full.name).members.put("bob@example.com", Role.READER, "")
    full.clock.advance(120)
    assert full.sweep().deletions == 0
    assert full.workspaces.show(full.name).deletion is None


def test_the_sweep_begins_it_when_its_time_has_come(full: House) -> None:
    full.workspaces.delete(full.name, by="", now=False)
    assert full.run() == "waiting"
    full.advance_to(full.deletion.begins_at)
    assert full.sweep().deletions == 1
    assert full.sweep().deletions == 0  # its execution lives
    assert full.run("executions/e2") == "completed"
    with pytest.raises(Conflict, match="no way back"):
        full.workspaces.restore(full.name)
    assert full.everything(full.name) == {}


def test_one_that_was_marked_can_be_begun_at_once(full: House) -> None:
    full.workspaces.delete(full.name, by="", now=False)
    assert full.run() == "waiting"
    full.clock.advance(60)
    full.workspaces.delete(full.name, by="", now=True)
    assert len(full.executions.started) == 2
    assert full.run("executions/e2") == "completed"


def test_a_start_that_failed_is_made_up_for_by_the_sweep(full: House) -> None:
    full.executions.away = True
    full.workspaces.delete(full.name, by="", now=True)
    full.executions.away = False
    assert full.sweep().deletions == 1
    assert full.run() == "completed"


def test_what_runs_is_ended_before_anything_is_taken_away(full: House) -> None:
    full.operation("op1")
    full.operation("op2")
    full.stubborn.add("op2")
    full.workspaces.delete(full.name, by="", now=True)
    started = full.workspaces.start(DeletionStartRequest(workspace=full.name, execution="executions/e1"))
    answer = full.workspaces.step(DeletionStepRequest(workspace=full.name, fence=started.fence))
    assert (answer.status, full.deletion.phase, full.deletion.documents) == ("running", "stopping", 0)
    assert answer.wait_seconds > 0
    full.stubborn.clear()
    assert full.run() == "completed"
    assert full.deletion.stopped == 2
    assert full.deletion.problems == ()


def test_what_cannot_be_ended_is_told_and_holds_nothing_up_for_ever(full: House) -> None:
    full.operation("op1")
    full.stubborn.add("op1")
    full.workspaces.delete(full.name, by="", now=True)
    begun = full.clock.now()
    assert full.run() == "completed"
    assert full.clock.now() - begun >= timedelta(minutes=30)
    assert any("op1" in one for one in full.deletion.problems)


def test_an_execution_that_died_is_followed_by_another_and_may_not_go_on(full: House) -> None:
    full.workspaces.delete(full.name, by="", now=True)
    first = full.workspaces.start(DeletionStartRequest(workspace=full.name, execution="executions/e1"))
    full.workspaces.step(DeletionStepRequest(workspace=full.name, fence=first.fence))
    living = full.workspaces.start(DeletionStartRequest(workspace=full.name, execution="executions/other"))
    assert living.status == "superseded"
    full.executions.dead.add("executions/e1")
    assert full.sweep().deletions == 1
    assert full.run("executions/e2") == "completed"
    late = full.workspaces.step(DeletionStepRequest(workspace=full.name, fence=first.fence))
    assert late.status == "superseded"


def test_a_worker_that_dies_anywhere_loses_nothing(full: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every second commit of a slice does not come back: the worker dies, and the workflow calls again."""
    commits = 0
    real = Deletions.advance

    def dying(self: Deletions, *given: object) -> object:
        nonlocal commits
        commits += 1
        done = real(self, *given)  # type: ignore[arg-type]
        if commits % 2:
            raise KeyboardInterrupt
        return done

    monkeypatch.setattr(Deletions, "advance", dying)
    full.workspaces.delete(full.name, by="", now=True)
    for _ in range(60):
        try:
            if full.run() == "completed":
                break
        except KeyboardInterrupt:
            continue
    assert full.everything(full.name) == {}
    assert full.deletion.status is DeletionStatus.COMPLETED


def test_two_workers_at_once_count_each_document_once(full: House) -> None:
    expected = len(full.everything(full.name)) - 5
    full.workspaces.delete(full.name, by="", now=True)
    fence = full.workspaces.start(DeletionStartRequest(workspace=full.name, execution="executions/e1")).fence

    def work() -> None:
        for _ in range(100):
            answer = full.workspaces.step(DeletionStepRequest(workspace=full.name, fence=fence))
            if answer.status == "completed":
                return
            full.clock.sleep(answer.wait_seconds)

    both = [threading.Thread(target=work) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join(timeout=60)
    assert full.everything(full.name) == {}
    assert full.deletion.documents == expected


def test_what_comes_late_is_taken_away_by_the_sweep_and_one_day_nobody_looks_any_more(full: House) -> None:
    full.workspaces.delete(full.name, by="", now=True)
    full.run()
    late = f"{DAY}/{full.name}/event_late.json"
    full.objects.put(late, b"late", "text/plain")
    full.database.commit([put(f"workspaces/{full.name}/effects/late", {"v": 1})], "test")
    full.clock.advance(301)
    assert full.sweep().deletions == 1
    assert full.everything(full.name) == {}
    for _ in range(40):
        if full.deletion.look_at is None:
            break
        full.advance_to(full.deletion.look_at)
        full.sweep()
    assert full.deletion.look_at is None
    assert timedelta(days=8) < full.clock.now() - (full.deletion.finished_at or full.clock.now()) < timedelta(days=10)


def test_the_name_is_free_again_some_time_after_the_end(full: House) -> None:
    wanted = WorkspaceCreate(id=full.name, owner="bob@example.com")
    with pytest.raises(Conflict, match="already"):
        full.workspaces.create(wanted, "op")
    full.workspaces.delete(full.name, by="", now=True)
    with pytest.raises(Conflict, match="being deleted"):
        full.workspaces.create(wanted, "op")
    full.run()
    with pytest.raises(Conflict, match="free at"):
        full.workspaces.create(wanted, "op")
    full.clock.advance(FREE_AFTER.total_seconds())
    assert full.workspaces.create(wanted, "op").deletion is None
    members = full.closable(full.name).members
    assert [(one.email, one.role) for one in members.list()] == [("bob@example.com", Role.OWNER)]
    members.put("eve@example.com", Role.READER, "")


def test_a_large_collection_goes_in_slices(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.store.deletions.SLICE", 10)
    root = f"workspaces/{house.name}"
    house.database.commit([put(f"{root}/notes/n{n}/events/{n}", {"n": n}) for n in range(45)], "test")
    house.workspaces.delete(house.name, by="", now=True)
    assert house.run() == "completed"
    assert house.everything(house.name) == {}
    assert house.deletion.documents == 46  # and the workspace's own, which is counted whether it was there or not


def test_what_is_not_there_cannot_be_deleted(house: House) -> None:
    with pytest.raises(NotFound):
        house.workspaces.delete(house.name, by="", now=True)
    assert house.workspaces.show(house.name, own=True).deletion is None


def test_an_operator_sees_all_and_a_person_theirs(full: House) -> None:
    full.workspaces.delete(full.name, by="", now=False)
    entries = {one.id: one for one in full.workspaces.all()}
    assert entries[full.name].deletion is DeletionStatus.MARKED
    assert (entries[full.other].deletion, entries[full.other].plan.value) == (None, "pro")
    mine = {one.id: one.role for one in full.workspaces.of_person("ada@example.com")}
    assert mine[full.other] is Role.OWNER


def test_another_store_that_cannot_be_reached_is_tried_again(full: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_given: object) -> Callable[[], None]:
        raise Transient("away")

    full.workspaces.delete(full.name, by="", now=True)
    with monkeypatch.context() as patched:
        patched.setattr(full.objects, "list", away)
        with pytest.raises(Transient):
            full.run()
    assert full.run() == "completed"


def envelope(owner: str, clock: FakeClock) -> CheckpointEnvelope:
    return CheckpointEnvelope(version=1, owner=owner, saved_at=clock.now(), data={})


def test_the_switch_of_spending_does_not_bring_a_deleted_workspace_back(full: House, firestore: Client) -> None:
    full.workspaces.delete(full.name, by="", now=True)
    full.run()
    with pytest.raises(WorkspaceClosed):
        SpendingSwitches(firestore, full.clock, random.Random(1)).write(full.name, SpendingSwitch(paused=True))
    assert full.everything(full.name) == {}
