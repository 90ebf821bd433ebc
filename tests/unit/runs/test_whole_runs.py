"""A run from its goal to its cited answer."""

from __future__ import annotations

from shared.contracts.notes import NoteKind
from shared.contracts.runs import RunStatus, StepStatus
from tests.unit.runs.world import MakeWorld, step


def test_a_goal_becomes_a_plan_steps_and_a_cited_note(make_world: MakeWorld) -> None:
    world = make_world()
    key = world.begin(step("a"), step("b"), step("c", "a", "b"))
    assert world.drive(key).status is RunStatus.SUCCEEDED
    run = world.run(key)
    assert run.status is RunStatus.SUCCEEDED and run.stop_reason == "end" and not run.active
    assert run.answer_note_id is not None
    note = world.store.notes.get(run.answer_note_id)
    assert note.kind is NoteKind.ANSWER and note.run_id == run.id
    assert note.body.startswith("The answer: this [1] this [2] this [3]")
    assert [one.note_id for one in note.citations] == ["note-a", "note-b", "note-c"]
    assert {one.status for one in world.steps(key).values()} == {StepStatus.SUCCEEDED}
    types = world.types(key)
    assert types[:4] == ["run_started", "step_started", "step_completed", "plan_ready"]
    assert types[-1] == "run_completed" and types.count("run_completed") == 1
    assert run.tool_calls == 3 and run.total_tokens_in > 0 and run.cost_usd > 0
    assert world.spending.settled[run.id].tokens == run.total_tokens_in + run.total_tokens_out
