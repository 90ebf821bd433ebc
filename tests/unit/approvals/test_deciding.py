"""Approving does exactly what was shown, once; and nothing where the target changed since."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest

from shared.approvals.deciding import Deciding, EditedApproval, StaleApproval
from shared.contracts.approvals import Approval, ApprovalAnswer, ApprovalEdit, ApprovalStatus
from shared.contracts.notes import NoteCreate, NotePatch
from shared.contracts.tasks import TaskCreate, TaskPatch
from shared.errors import InputError, MemexError, NotFound
from shared.notes.create import create
from shared.notes.delete import delete
from shared.notes.patch import patch
from shared.store import paths
from shared.store.notes import NotesWanted
from shared.store.tasks import TasksWanted
from shared.store.workspace import WorkspaceStore
from shared.tasks.create import create as create_task
from shared.tasks.patch import patch as patch_task
from shared.tools.catalogue import acting, proposing
from tests.support.jobs import FakeServices, job
from tests.support.seams import CountingIds, FakeClock
from tests.support.stores import Flaky


@dataclass
class Desk:
    store: WorkspaceStore
    clock: FakeClock
    services: FakeServices

    def propose(self, name: str, key: str = "k1", **arguments: Any) -> Approval:
        actor = "routine/digest-2026-11-30"
        proposed = job(self.store, self.clock, key, actor=actor, services=self.services)
        outcome = proposing().call(proposed, name, arguments)
        assert outcome.ok, outcome.result
        return self.store.approvals.get(outcome.result["approval_id"])

    def deciding(self, store: WorkspaceStore | None = None, ids: str = "decision") -> Deciding:
        return Deciding(store or self.store, self.services, acting(), clock=self.clock, ids=CountingIds(ids))

    def approve(self, approval: Approval) -> ApprovalAnswer:
        return self.deciding().approve(approval.id)

    def counts(self) -> tuple[int, int, int]:
        notes, tasks = self.store.notes.list(NotesWanted(50)).notes, self.store.tasks.list(TasksWanted(50)).tasks
        return len(notes), len(tasks), len(self.store.streams.read(paths.note("n-1")))


@pytest.fixture
def desk(store: WorkspaceStore, clock: FakeClock) -> Desk:
    create(store, NoteCreate(title="Old", body="Body", tags=("a",)), clock=clock, ids=CountingIds("n"), key=None)
    create_task(store, TaskCreate(title="Task"), clock=clock, ids=CountingIds("t"), key=None)
    return Desk(store, clock, FakeServices(store))


CHANGES: list[tuple[str, dict[str, Any]]] = [
    ("create_note", {"title": "T", "body": "B"}),
    ("create_tasks", {"tasks": [{"title": "one"}, {"title": "two"}]}),
    ("update_note", {"note_id": "n-1", "changes": {"summary": "S", "tags": ["b"]}}),
    ("update_task", {"task_id": "t-1", "changes": {"title": "Other", "due": "2026-12-01"}}),
    ("start_research", {"note_id": "n-1"}),
]
changes = pytest.mark.parametrize(("name", "arguments"), CHANGES, ids=[name for name, _ in CHANGES])
MADE = {
    "create_note": (1, 0, 0),
    "create_tasks": (0, 2, 0),
    "update_note": (0, 0, 1),
    "update_task": (0, 0, 0),
    "start_research": (0, 0, 0),
}


def grown(before: tuple[int, ...], after: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(later - earlier for later, earlier in zip(after, before, strict=True))


@changes
def test_a_proposal_changes_nothing_and_shows_what_would(desk: Desk, name: str, arguments: dict[str, Any]) -> None:
    before, task = desk.counts(), desk.store.tasks.get("t-1")
    approval = desk.propose(name, **arguments)
    assert desk.counts() == before and desk.store.tasks.get("t-1") == task and desk.services.researched == []
    assert approval.status is ApprovalStatus.PENDING and approval.title and approval.after
    assert (approval.tool, approval.proposed_by) == (name, "routine/digest-2026-11-30")


def test_a_proposal_shows_both_sides(desk: Desk) -> None:
    note = desk.propose("update_note", note_id="n-1", changes={"summary": "S", "tags": ["b"]})
    assert (note.before, note.after) == ({"summary": "", "tags": ["a"]}, {"summary": "S", "tags": ["b"]})
    assert note.target == "notes/n-1" and note.target_revision
    task = desk.propose("update_task", key="k2", task_id="t-1", changes={"due": "2026-12-01"})
    assert (task.before, task.after) == ({"due": None}, {"due": "2026-12-01"})


def test_the_same_proposal_again_is_one(desk: Desk) -> None:
    assert desk.propose("create_note", body="B").id == desk.propose("create_note", body="B").id
    assert len(desk.store.approvals.list(limit=10)[0]) == 1


@changes
def test_approving_makes_the_change_once(desk: Desk, name: str, arguments: dict[str, Any]) -> None:
    approval, before = desk.propose(name, **arguments), desk.counts()
    first, second = desk.approve(approval), desk.approve(approval)
    assert first.changed and first.approval.status is ApprovalStatus.APPROVED and first.approval.result
    assert not second.changed and "before" in second.message
    assert grown(before, desk.counts()) == MADE[name] and len(desk.services.researched) <= 1


@changes
def test_three_who_approve_at_once_make_it_once(desk: Desk, name: str, arguments: dict[str, Any]) -> None:
    approval, before = desk.propose(name, **arguments), desk.counts()
    with ThreadPoolExecutor(3) as pool:
        deciding = [desk.deciding(ids=f"decision{number}") for number in range(3)]
        answers = list(pool.map(lambda each: each.approve(approval.id), deciding))
    assert sorted(answer.changed for answer in answers) == [False, False, True]
    assert grown(before, desk.counts()) == MADE[name]


@changes
@pytest.mark.parametrize("plan", [["lost"], ["dropped"], ["aborted", "lost"]], ids="+".join)
def test_a_lost_answer_is_one_change(
    desk: Desk, flaky: Flaky, name: str, arguments: dict[str, Any], plan: list[str]
) -> None:
    approval, before = desk.propose(name, **arguments), desk.counts()
    answer = desk.deciding(flaky(desk.store, plan)).approve(approval.id)
    assert answer.approval.status is ApprovalStatus.APPROVED
    assert not desk.approve(approval).changed and grown(before, desk.counts()) == MADE[name]


def test_approve_and_reject_at_once_are_one_decision(desk: Desk) -> None:
    approval, before = desk.propose("create_note", body="B"), desk.counts()
    with ThreadPoolExecutor(2) as pool:
        yes = pool.submit(desk.deciding(ids="yes").approve, approval.id)
        no = pool.submit(desk.deciding(ids="no").reject, approval.id)
    assert [yes.result().changed, no.result().changed].count(True) == 1
    made = desk.counts()[0] - before[0]
    assert made == (desk.store.approvals.get(approval.id).status is ApprovalStatus.APPROVED)


@pytest.mark.parametrize("target", ["note", "task", "deleted"])
def test_a_target_that_changed_since_is_not_touched_and_the_approval_is_stale(desk: Desk, target: str) -> None:
    if target == "task":
        approval = desk.propose("update_task", task_id="t-1", changes={"done": True})
        patch_task(desk.store, "t-1", TaskPatch(title="Mine"), clock=desk.clock)
    else:
        approval = desk.propose("update_note", note_id="n-1", changes={"body": "Theirs"})
        patch(desk.store, "n-1", NotePatch(body="Mine"), clock=desk.clock, by="me")
    if target == "deleted":
        delete(desk.store, "n-1", by="me")
    with pytest.raises(StaleApproval) as caught:
        desk.approve(approval)
    assert caught.value.status == 409 and desk.store.approvals.get(approval.id).status is ApprovalStatus.STALE
    assert not desk.approve(approval).changed
    if target == "note":
        assert desk.store.notes.get("n-1").body == "Mine"
    if target == "task":
        assert not desk.store.tasks.get("t-1").done


def test_a_change_to_what_is_there_already_is_approved_without_one(desk: Desk) -> None:
    approval = desk.propose("update_note", note_id="n-1", changes={"tags": ["a"]})
    assert desk.approve(approval).approval.status is ApprovalStatus.APPROVED and desk.counts()[2] == 0


def test_what_is_rejected_is_never_made(desk: Desk) -> None:
    approval, before = desk.propose("create_note", body="B"), desk.counts()
    assert desk.deciding().reject(approval.id).changed
    assert not desk.approve(approval).changed and not desk.deciding().reject(approval.id).changed
    assert desk.counts() == before


def test_what_cannot_be_made_any_more_fails_and_says_why(desk: Desk) -> None:
    approval = desk.propose("create_note", body="B")
    arguments = {"body": "B", "gone": True}
    desk.store.approvals.change(approval.id, lambda each: _changed(each, arguments), point="test")
    answer = desk.approve(approval)
    assert answer.approval.status is ApprovalStatus.FAILED and answer.approval.error is not None
    assert "gone" in answer.approval.error.message


def _changed(approval: Approval, arguments: dict[str, Any]) -> Any:
    from shared.store.changing import Change

    return Change(approval.model_copy(update={"arguments": arguments}).model_dump())


def test_an_approval_that_is_none_is_not_found(desk: Desk) -> None:
    for decide in (desk.deciding().approve, desk.deciding().reject):
        with pytest.raises(NotFound):
            decide("none")


def test_a_proposal_with_a_reason_is_queued(desk: Desk) -> None:
    wanted = {
        "tool": "create_tasks",
        "arguments": {"tasks": [{"title": "x"}]},
        "reason": "You said so.",
    }
    approval = desk.propose("queue_approval", **wanted)
    assert (approval.tool, approval.title, approval.reason) == ("create_tasks", "Add the task “x”", "You said so.")


def test_who_proposes_has_no_say_in_what_it_is_called(desk: Desk) -> None:
    wanted = {"tool": "update_note", "arguments": {"note_id": "n-1", "changes": {"body": ""}}, "title": "Fix a typo"}
    outcome = proposing().call(job(desk.store, desk.clock), "queue_approval", wanted)
    assert outcome.malformed and desk.store.approvals.list(limit=10)[0] == ()


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("Milk” is done. Nothing else “", "Add the task “Milk' is done. Nothing else '”"),
        ("a\u202ecba\nb", "Add the task “acba b”"),
        ("x" * 300, f"Add the task “{'x' * 79}…”"),
    ],
)
def test_words_in_a_proposals_title_stay_between_its_marks(desk: Desk, title: str, shown: str) -> None:
    assert desk.propose("create_tasks", tasks=[{"title": title}]).title == shown


@pytest.mark.parametrize(
    "wanted",
    [
        {"tool": "list_tasks", "arguments": {}},
        {"tool": "queue_approval", "arguments": {}},
        {"tool": "create_tasks", "arguments": {"tasks": []}},
        {"tool": "update_note", "arguments": {"note_id": "none", "changes": {"body": "x"}}},
    ],
)
def test_what_could_not_be_made_is_not_queued(desk: Desk, wanted: dict[str, Any]) -> None:
    outcome = proposing().call(job(desk.store, desk.clock), "queue_approval", wanted)
    assert not outcome.ok and desk.store.approvals.list(limit=10)[0] == ()


def edited(desk: Desk, approval: Approval, **arguments: Any) -> Approval:
    wanted = ApprovalEdit(arguments=arguments, edits=approval.edits)
    return desk.deciding().edit(approval.id, wanted).approval


def test_what_was_edited_is_shown_anew_and_exactly_that_is_made(desk: Desk) -> None:
    approval = desk.propose("update_note", note_id="n-1", changes={"summary": "S", "tags": ["b"]})
    after = edited(desk, approval, note_id="n-1", changes={"summary": "Mine"})
    assert (after.status, after.edits, after.before, after.after) == (
        ApprovalStatus.PENDING,
        1,
        {"summary": ""},
        {"summary": "Mine"},
    )
    assert desk.deciding().approve(approval.id, 1).changed
    note = desk.store.notes.get("n-1")
    assert (note.summary, note.tags) == ("Mine", ("a",))


def test_an_edit_is_made_for_the_target_as_it_is_now(desk: Desk) -> None:
    approval = desk.propose("update_note", note_id="n-1", changes={"body": "Theirs"})
    patch(desk.store, "n-1", NotePatch(body="Meanwhile"), clock=desk.clock, by="me")
    after = edited(desk, approval, note_id="n-1", changes={"body": "Both"})
    assert after.before == {"body": "Meanwhile"}
    assert desk.approve(after).changed and desk.store.notes.get("n-1").body == "Both"


def test_what_is_not_as_it_was_shown_is_neither_approved_nor_edited_over(desk: Desk) -> None:
    approval = desk.propose("create_note", title="T", body="B")
    edited(desk, approval, title="T", body="Mine")
    with pytest.raises(EditedApproval):
        desk.deciding().approve(approval.id, 0)
    with pytest.raises(EditedApproval):
        edited(desk, approval, title="T", body="Other")
    assert desk.counts()[0] == 1 and desk.store.approvals.get(approval.id).status is ApprovalStatus.PENDING


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"note_id": "n-1", "changes": {"summary": 5}}, MemexError),
        ({"note_id": "n-1", "changes": {}}, InputError),
        ({"note_id": "absent", "changes": {"summary": "S"}}, NotFound),
    ],
)
def test_arguments_that_cannot_be_used_change_no_approval(
    desk: Desk, arguments: dict[str, Any], error: type[MemexError]
) -> None:
    approval = desk.propose("update_note", note_id="n-1", changes={"summary": "S"})
    with pytest.raises(error):
        edited(desk, approval, **arguments)
    assert desk.store.approvals.get(approval.id) == approval


def test_wrong_arguments_are_told_to_a_person_by_their_field(desk: Desk) -> None:
    approval = desk.propose("update_note", note_id="n-1", changes={"summary": "S"})
    with pytest.raises(InputError, match=r"^arguments\.changes\.summary: ") as told:
        edited(desk, approval, note_id="n-1", changes={"summary": 5})
    assert told.value.details["field"] == "arguments.changes.summary" and "call it again" not in told.value.message


def test_another_target_cannot_be_put_into_a_proposal(desk: Desk) -> None:
    create(desk.store, NoteCreate(body="Other"), clock=desk.clock, ids=CountingIds("m"), key=None)
    approval = desk.propose("update_note", note_id="n-1", changes={"summary": "S"})
    with pytest.raises(InputError, match="target"):
        edited(desk, approval, note_id="m-1", changes={"summary": "S"})


def test_what_is_decided_is_edited_no_more(desk: Desk) -> None:
    approval = desk.propose("create_note", title="T", body="B")
    desk.deciding().reject(approval.id)
    answer = desk.deciding().edit(approval.id, ApprovalEdit(arguments={"body": "C"}, edits=0))
    assert not answer.changed and answer.approval.arguments == {"title": "T", "body": "B"}
