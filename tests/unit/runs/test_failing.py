"""Steps that fail, answers without evidence, and models that are away."""

from __future__ import annotations

from shared.contracts.notes import PARTIAL_TAG
from shared.contracts.runs import RunStatus, StepStatus
from shared.errors import InputError, Transient
from shared.llm.port import ModelRequest, Text
from tests.support.scripted_model import Line
from tests.unit.runs.world import MakeWorld, citing, step, task_of, working


def failing(name: str, error: Exception, times: int = 10**6):  # type: ignore[no-untyped-def]
    """A working model that fails with the step of that name, so many times."""
    left = [times]

    def rule(request: ModelRequest) -> Line:
        if task_of(request) == name and left[0] > 0:
            left[0] -= 1
            return [error]
        return working(request)

    return rule


def test_one_of_five_fails_and_is_named_in_the_answer(make_world: MakeWorld) -> None:
    world = make_world()
    world.work_model.rule = failing("c", Transient("The model is away."))
    key = world.begin(*(step(name) for name in "abcde"))
    assert world.drive(key).status is RunStatus.SUCCEEDED
    steps = world.steps(key)
    assert steps["Step c"].status is StepStatus.FAILED and steps["Step c"].attempt == 3
    assert [steps[f"Step {name}"].status for name in "abde"] == [StepStatus.SUCCEEDED] * 4
    told = str(world.plan_model.requests[-1].messages[0].parts)
    assert 'title="Step c" status="failed"' in told and "The model is away." in told
    failed = [frame for frame in world.frames(key) if frame.type == "step_failed"]
    assert [frame.data["again"] for frame in failed] == [True, True, False]
    assert len(world.store.notes.get(str(world.run(key).answer_note_id)).citations) == 4


def test_a_step_that_failed_in_passing_is_begun_again(make_world: MakeWorld) -> None:
    world = make_world()
    world.work_model.rule = failing("a", Transient("Busy."), times=4)  # three in one attempt, then one in the next
    key = world.begin(step("a"))
    assert world.drive(key).status is RunStatus.SUCCEEDED
    one = world.steps(key)["Step a"]
    assert one.attempt == 2 and one.status is StepStatus.SUCCEEDED and one.error is None


def test_a_step_that_cannot_be_mended_is_not_begun_again(make_world: MakeWorld) -> None:
    world = make_world()
    world.work_model.rule = failing("a", InputError("Not for me."))
    key = world.begin(step("a"), step("b"))
    world.drive(key)
    assert world.steps(key)["Step a"].attempt == 1


def test_what_depends_on_a_failed_step_is_done_with_what_there_is(make_world: MakeWorld) -> None:
    world = make_world()
    world.work_model.rule = failing("a", InputError("Not for me."))
    key = world.begin(step("a"), step("b", "a"))
    assert world.drive(key).status is RunStatus.SUCCEEDED
    [asked, *_] = [str(request.messages[0].parts) for request in world.work_model.requests if task_of(request) == "b"]
    assert 'status="failed"' in asked


def test_when_all_tools_find_nothing_the_run_fails_and_keeps_what_was_said(make_world: MakeWorld) -> None:
    """No evidence, no essay: the model is not even asked for one."""
    world = make_world()
    world.tools.known = lambda _query: []
    key = world.begin(step("a"), step("b"))
    assert world.drive(key).status is RunStatus.FAILED
    run = world.run(key)
    assert run.error is not None and run.error.code == "no_evidence"
    note = world.store.notes.get(str(run.answer_note_id))
    assert note.partial and note.tags == (PARTIAL_TAG,) and "Nothing about a." in note.body
    assert len(world.plan_model.requests) == 1, "only the plan was asked for"
    assert world.types(key)[-1] == "run_completed"


def test_an_answer_that_cites_nothing_is_asked_for_once_more(make_world: MakeWorld) -> None:
    world = make_world()
    said = [[Text("An essay.")], None]
    world.synthesis = lambda request: said.pop(0) or citing(request)
    key = world.begin(step("a"))
    assert world.drive(key).status is RunStatus.SUCCEEDED
    assert "cites no source" in str(world.plan_model.requests[-1].messages[-1].parts)


def test_an_answer_that_never_cites_anything_is_a_failure(make_world: MakeWorld) -> None:
    world = make_world()
    world.synthesis = lambda _request: [Text("An essay [9.9].")]
    key = world.begin(step("a"))
    assert world.drive(key).status is RunStatus.FAILED
    run = world.run(key)
    assert run.error is not None and run.error.code == "no_evidence"
    assert world.store.notes.get(str(run.answer_note_id)).partial


def test_ids_that_are_in_no_table_are_dropped_and_counted(make_world: MakeWorld) -> None:
    world = make_world()
    world.synthesis = lambda _request: [Text("This [1.1, 7.7] and that [8.8]; [1.1].")]
    key = world.begin(step("a"))
    assert world.drive(key).status is RunStatus.SUCCEEDED
    note = world.store.notes.get(str(world.run(key).answer_note_id))
    assert note.body.startswith("This [1] and that; [1].")
    last = world.frames(key)[-1]
    assert last.data["dropped_citations"] == 2 and last.data["citations"] == 1


def test_when_the_answer_cannot_be_written_what_was_found_is_kept(make_world: MakeWorld) -> None:
    world = make_world()
    world.synthesis = lambda _request: [Transient("The model is away.")]
    key = world.begin(step("a"))
    assert world.drive(key).status is RunStatus.FAILED
    run = world.run(key)
    assert run.error is not None and run.error.code == "unavailable"
    note = world.store.notes.get(str(run.answer_note_id))
    assert note.partial and "Found a [1]" in note.body and note.citations[0].note_id == "note-a"


def test_an_answer_that_breaks_off_is_begun_anew_for_those_who_watch(make_world: MakeWorld) -> None:
    world = make_world()
    said: list[Line] = [[Text("x" * 5_000), Transient("cut")], [Text("y" * 5_000 + " [1.1]")]]
    world.synthesis = lambda _request: said.pop(0)
    key = world.begin(step("a"))
    assert world.drive(key).status is RunStatus.SUCCEEDED
    drafts: dict[int, str] = {}
    for frame in world.frames(key):
        if frame.type == "answer_text":
            drafts[frame.data["attempt"]] = drafts.get(frame.data["attempt"], "") + frame.data["text"]
    assert [text[0] for _n, text in sorted(drafts.items())] == ["x", "y"]
    assert drafts[max(drafts)] == "y" * 5_000 + " [1.1]"
