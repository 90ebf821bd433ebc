"""Plans before money: asked for, proposed, edited, made anew, approved once, dropped, or left alone."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest

from shared.contracts.operations import Attempt, Operation, OperationStatus, Usage
from shared.contracts.plans import PlanApproval, PlanChange, PlanEdit, ResearchPlan
from shared.errors import BudgetExceeded, Conflict, InputError, MemexError, Transient
from shared.gateway.interactions import Interaction, InteractionError
from shared.research.planning.deciding import PlanConflict
from shared.research.planning.estimating import estimate
from shared.store.effects import Effect
from tests.unit.research.build import cite, output, text
from tests.unit.research.world import MakeWorld, World, execution

PLAN = "## The plan\n\n1. Look at bees."
REPORT = "Bees dance."
WAITING = OperationStatus.AWAITING_APPROVAL
LOST = InteractionError("timeout", "no answer", sent=True)


def planned(world: World, **fields: Any) -> Operation:
    """A note whose plan waits."""
    world.delivered(world.tag(tags=["research:plan", "hive"], **fields))
    world.start()
    show_plan(world)
    assert world.poll().status == WAITING
    return world.operation


def show_plan(world: World, name: str = "v1_run1", words: str = PLAN) -> None:
    world.interactions.shows(name, "completed", output(words))


def show_report(world: World, name: str) -> None:
    cited = text(REPORT, cite(REPORT, "dance", "https://bees.example/dance", "Dance"))
    world.interactions.shows(name, "completed", output(cited))


def approve(world: World, revision: int = 1, **more: Any) -> Any:
    plans, seen = world.research.plans, PlanApproval(revision=revision, **more)
    return plans.approve(world.workspace, world.operation.id, seen, by="anna")


def edit(world: World, words: str, revision: int = 1) -> Operation:
    wanted = PlanEdit(text=words, revision=revision)
    return world.research.plans.edit(world.workspace, world.operation.id, wanted, by="anna")


def change(world: World, words: str, revision: int = 1) -> Operation:
    wanted = PlanChange(change=words, revision=revision)
    return world.research.plans.change(world.workspace, world.operation.id, wanted, by="anna")


@contextmanager
def refused(reason: str) -> Iterator[None]:
    with pytest.raises(PlanConflict) as refusal:
        yield
    assert refusal.value.details["reason"] == reason


# proposed


def test_a_plan_is_made_shown_and_waited_for_without_an_execution(world: World) -> None:
    operation = planned(world)
    assert operation.plan_first and operation.status is WAITING and not operation.status.terminal
    assert (operation.execution, operation.claimed, operation.launch_expires_at) == (None, False, None)
    plan = operation.plan
    assert plan is not None and (plan.text, plan.revision, plan.drafts) == (PLAN, 1, 1)
    assert (plan.estimate_low_usd, plan.estimate_high_usd, plan.estimate_high_minutes) == (1.0, 3.0, 20.0)
    [body] = world.interactions.created
    assert body["agent_config"]["collaborative_planning"] is True and "<topic" in body["input"]
    assert world.types()[-1] == "plan_proposed" and world.events()[-1].data["text"] == PLAN
    assert not world.events()[-1].terminal


def test_plain_research_says_nothing_of_plans(world: World) -> None:
    world.begin()
    assert "collaborative_planning" not in world.interactions.created[0]["agent_config"]
    assert world.operation.plan_first is False


def test_what_planning_has_cost_is_told_with_the_plan(world: World) -> None:
    world.delivered(world.tag(tags=["research:plan"]))
    world.start()
    usage = {"total_input_tokens": 100_000, "total_output_tokens": 10_000}
    world.interactions.runs["v1_run1"] = Interaction("v1_run1", "completed", (output(PLAN),), (), usage)
    world.poll()
    assert world.operation.plan is not None and world.operation.plan.planning_usd == pytest.approx(0.32)


def test_the_estimate_is_that_of_the_workspace_s_own_runs_once_there_are_some(world: World) -> None:
    begun = world.clock.now()
    for n, tokens in enumerate([200_000, 400_000, 600_000]):
        _completed(world, n, tokens, minutes=5.0 * (n + 1), begun=begun)
    found = estimate(world.store, world.settings.research_agent)
    assert "last 3" in found.basis and found.minutes == (5.0, 15.0)
    assert found.usd == (pytest.approx(0.4), pytest.approx(1.2))
    assert estimate(world.store, "deep-research-max-preview").basis == found.basis


def _completed(world: World, n: int, tokens: int, *, minutes: float, begun: datetime) -> None:
    made = Attempt(
        n=1,
        reason="first",
        intent_at=begun,
        intent_expires_at=begun,
        started_at=begun,
        interaction_id=f"v1_old{n}",
        status="completed",
        usage=Usage(input_tokens=tokens),
    )
    ended = begun + timedelta(minutes=minutes)
    operation = Operation(
        id=f"op_old{n}",
        status=OperationStatus.COMPLETED,
        created_at=begun,
        updated_at=ended,
        finished_at=ended,
        interactions=(made,),
    )
    world.client.document(f"workspaces/{world.workspace}/operations/{operation.id}").set(operation.model_dump())


def test_a_plan_without_a_word_fails_and_leaves_no_note(world: World) -> None:
    world.delivered(world.tag(tags=["research:plan"]))
    world.start()
    world.interactions.shows("v1_run1", "completed")
    assert world.poll().status == "failed"
    assert world.operation.error is not None and world.operation.error.code == "no_plan"


def test_planning_that_fails_ends_the_operation_and_its_words_are_no_report(world: World) -> None:
    world.delivered(world.tag(tags=["research:plan"]))
    world.start()
    world.interactions.shows("v1_run1", "incomplete", output("half a plan"))
    assert world.poll().status == "failed"
    assert world.operation.result_note_id is None


def test_a_cancel_while_the_plan_is_made_stops_it(world: World) -> None:
    world.delivered(world.tag(tags=["research:plan"]))
    world.start()
    world.research.engine.cancel(world.workspace, world.operation.id)
    assert world.interactions.cancelled == ["v1_run1"]
    assert world.poll().status == "cancelled"


# waiting


def test_nobody_takes_a_waiting_operation_for_a_stuck_one(world: World) -> None:
    before = planned(world)
    world.clock.advance(3 * 86_400)
    assert world.reconciler.sweep().launched == 0
    world.research.engine.work_created(world.workspace, before.id)
    assert world.start(5).status == "superseded" and world.start(1).status == "superseded"
    assert world.fail(fence=before.fence) == before and world.fail(execution=execution(1), fence=0) == before
    assert world.poll(fence=1).status == WAITING
    assert world.operation == before and len(world.executions.started) == 1


def test_a_plan_left_alone_ends_with_its_time(make_world: MakeWorld) -> None:
    world = make_world(research_plan_days=2.0)
    planned(world)
    world.clock.advance(2 * 86_400 - 60)
    assert world.reconciler.sweep().expired == 0
    world.clock.advance(3 * 60)
    world.reconciler.sweep()
    assert world.operation.status is OperationStatus.CANCELLED
    assert world.events()[-1].data["code"] == "plan_expired" and world.operation.plan is not None
    with refused("not_waiting"):
        approve(world)


def test_taking_the_tag_off_drops_the_plan(world: World) -> None:
    planned(world)
    world.delivered(world.tag(tags=["hive"]))
    assert world.events()[-1].data["code"] == "untagged"


def test_the_plain_tag_in_its_place_drops_nothing(world: World) -> None:
    planned(world)
    world.delivered(world.tag(tags=["research"]))
    assert world.operation.status is WAITING


def test_dropping_a_plan_ends_the_operation_and_keeps_it(world: World) -> None:
    planned(world)
    answer = world.research.engine.cancel(world.workspace, world.operation.id)
    assert answer.cancelled and answer.message == "The plan was dropped."
    assert world.events()[-1].data["code"] == "plan_dropped"
    assert world.operation.plan is not None and world.operation.plan.text == PLAN
    assert (
        world.interactions.cancelled == [] and world.executions.cancelled == [] and not world.operation.cancel_pending
    )


# edited


def test_an_edit_raises_the_revision_and_what_was_seen_before_is_refused(world: World) -> None:
    planned(world)
    after = edit(world, "Only honey bees.")
    assert after.plan is not None and (after.plan.revision, after.plan.edited_by_person) == (2, True)
    assert edit(world, "Only honey bees.").plan == after.plan, "the same request again"
    with refused("plan_changed"):
        approve(world, revision=1)
    with refused("plan_changed"):
        edit(world, "Only wasps.", revision=1)
    assert world.types().count("plan_edited") == 1


# approved


def test_the_run_follows_the_approved_text_and_the_plan_s_interaction(world: World) -> None:
    planned(world)
    edit(world, "Only honey bees.")
    answer = approve(world, revision=2)
    assert answer.changed and answer.operation.status is OperationStatus.RUNNING
    assert len(world.executions.started) == 2
    world.start(2)
    body = world.interactions.created[1]
    assert body["previous_interaction_id"] == "v1_run1" and body["agent_config"]["collaborative_planning"] is False
    assert "Only honey bees." in body["input"] and "<topic" not in body["input"]
    show_report(world, "v1_run2")
    assert world.poll().status == "completed"
    assert world.operation.result_note_id is not None
    assert [(one.round, one.planning) for one in world.operation.interactions] == [(0, True), (1, False)]
    assert world.types().count("plan_approved") == 1


def test_an_approval_may_bring_a_last_edit(world: World) -> None:
    planned(world)
    plan = approve(world, text="Only wasps.").operation.plan
    assert plan is not None and (plan.text, plan.revision, plan.approved_by) == ("Only wasps.", 2, "anna")
    assert approve(world, text="Only wasps.").changed is False


def test_the_same_approval_again_runs_once(world: World) -> None:
    planned(world)
    approve(world)
    again = approve(world)
    assert again.changed is False and "once" in again.message
    world.start(2)
    assert len(world.interactions.created) == 2
    with refused("not_waiting"):
        approve(world, text="Something else.")
    with refused("not_waiting"):
        edit(world, "Something else.")


def test_three_approvals_at_once_are_one_paid_run(world: World) -> None:
    planned(world)

    def one(_: int) -> bool:
        try:
            return bool(approve(world).changed)
        except MemexError:
            return False

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(one, range(3)))
    assert world.types().count("plan_approved") == 1
    world.start(2)
    world.start(3)
    assert len(world.interactions.created) == 2, "the plan, and one run"


def test_approving_what_was_dropped_is_refused(world: World) -> None:
    planned(world)
    world.research.engine.cancel(world.workspace, world.operation.id)
    with refused("not_waiting"):
        approve(world)
    assert len(world.executions.started) == 1


def test_an_approval_outranks_the_tag_that_is_gone_since(world: World) -> None:
    planned(world)
    approve(world)
    world.delivered(world.tag(tags=["hive"]))
    world.start(2)
    assert len(world.interactions.created) == 2


def test_a_note_that_was_changed_since_is_told_of_and_goes_with_the_run(world: World) -> None:
    planned(world)
    world.tag(tags=["research:plan", "more"])
    world.tag(body="What about wasps?", tags=["research:plan"])
    with refused("note_changed"):
        approve(world)
    assert world.operation.status is WAITING
    assert approve(world, anyway=True).changed
    world.start(2)
    assert "wasps" in world.interactions.created[1]["input"] and PLAN in world.interactions.created[1]["input"]


def test_other_tags_are_no_other_note(world: World) -> None:
    planned(world)
    world.tag(tags=["research:plan", "more"])
    assert approve(world).changed


def test_a_note_that_was_deleted_has_nothing_approved(world: World) -> None:
    planned(world)
    world.client.document(f"workspaces/{world.workspace}/notes/n1").delete()
    with refused("note_gone"):
        approve(world)
    assert world.operation.status is WAITING


def test_a_start_that_fails_is_made_up_for_weeks_after_the_operation_was_made(world: World) -> None:
    planned(world)
    world.clock.advance(5 * 86_400)
    world.executions.starts = [Transient("away")]
    assert approve(world).changed
    world.clock.advance(600)
    world.reconciler.sweep()
    assert len(world.executions.started) == 3 and world.operation.execution == execution(2)


def test_an_approval_that_died_before_its_start_is_started_by_the_next_one(world: World) -> None:
    planned(world)
    world.executions.starts = [RuntimeError("killed")]
    with pytest.raises(RuntimeError):
        approve(world)
    world.clock.advance(60)
    assert approve(world).changed is False
    assert world.operation.execution is not None


# the second create


def test_lost_answers_are_counted_for_each_create_by_itself(world: World) -> None:
    world.delivered(world.tag(tags=["research:plan"]))
    world.interactions.creates = [LOST, "v1_plan", LOST, "v1_run"]
    with pytest.raises(Transient):
        world.start()
    world.start()
    show_plan(world, "v1_plan")
    world.poll()
    approve(world)
    with pytest.raises(Transient):
        world.start(2)
    assert world.start(2).status == "running"
    assert [one.status for one in world.operation.interactions] == ["lost", "completed", "lost", "in_progress"]


def test_a_plan_that_the_service_forgot_goes_with_the_run_word_by_word(world: World) -> None:
    planned(world)
    approve(world)
    world.interactions.creates = [InteractionError("http_404", "unknown", sent=False, http_status=404), "v1_run"]
    assert world.start(2).status == "running"
    body = world.interactions.created[2]
    assert "previous_interaction_id" not in body and "<topic" in body["input"] and PLAN in body["input"]
    assert "plan_gone" in world.types()


def test_what_is_refused_without_the_plan_too_ends_the_operation(world: World) -> None:
    planned(world)
    approve(world)
    no = InteractionError("http_404", "unknown", sent=False, http_status=404)
    world.interactions.creates = [no, no]
    assert world.start(2).status == "superseded"
    assert world.operation.status is OperationStatus.FAILED and len(world.interactions.created) == 3


# another plan


def test_another_plan_continues_the_first_and_is_shown_again(world: World) -> None:
    planned(world)
    assert change(world, "Leave out wasps.").status is OperationStatus.RUNNING
    world.start(2)
    body = world.interactions.created[1]
    assert body["previous_interaction_id"] == "v1_run1" and body["agent_config"]["collaborative_planning"] is True
    assert "Leave out wasps." in body["input"]
    show_plan(world, "v1_run2", "A shorter plan.")
    assert world.poll().status == WAITING
    plan = world.operation.plan
    assert plan is not None and (plan.text, plan.revision, plan.drafts) == ("A shorter plan.", 2, 2)
    with refused("plan_changed"):
        approve(world, revision=1)
    approve(world, revision=2)
    world.start(3)
    assert world.interactions.created[2]["previous_interaction_id"] == "v1_run2"


def test_another_plan_of_an_edited_one_starts_from_the_edit(world: World) -> None:
    planned(world)
    edit(world, "Only honey bees.")
    change(world, "Shorter.", revision=2)
    world.start(2)
    assert "Only honey bees." in world.interactions.created[1]["input"]


# money


def test_a_cap_without_room_for_the_run_refuses_the_approval_and_the_plan_still_waits(make_world: MakeWorld) -> None:
    world = make_world(monthly_usd=5.0)
    planned(world)
    with pytest.raises(BudgetExceeded):
        approve(world)
    assert world.operation.status is WAITING and len(world.interactions.created) == 1


def test_what_was_set_aside_for_an_approval_that_was_refused_comes_back(
    make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = make_world(monthly_usd=50.0)
    planned(world)
    reserve = world.spending.reserve

    def raced(*given: Any, **more: Any) -> None:
        reserve(*given, **more)
        edit(world, "Changed just then.")

    monkeypatch.setattr(world.spending, "reserve", raced)
    with refused("plan_changed"):
        approve(world)
    month = f"{world.clock.now():%Y-%m}"
    assert world.operation.id not in world.store.usage.book(month).holds


# who has plans at all


def test_the_setting_or_the_workspace_asks_for_plans(make_world: MakeWorld) -> None:
    world = make_world(research_plan_first=True)
    world.delivered(world.tag())
    assert world.operation.plan_first
    other = make_world(research_plan_first=True)
    other.client.document(f"workspaces/{other.workspace}").set({"research_plan_first": False})
    other.delivered(other.tag())
    assert not other.operation.plan_first


@pytest.mark.parametrize("settings", [{"research_backend": "vertex"}, {"research_engine": "agent"}])
def test_where_nobody_makes_plans_a_default_begins_without_and_says_so(
    make_world: MakeWorld, settings: dict[str, str]
) -> None:
    world = make_world(research_plan_first=True, **settings)
    world.delivered(world.tag())
    assert not world.operation.plan_first and world.types() == ["created", "plan_skipped", "execution_started"]


def test_where_nobody_makes_plans_one_that_was_asked_for_is_refused(make_world: MakeWorld) -> None:
    world = make_world(research_backend="vertex")
    world.write_note("n1", title="Bees", body="Why?", tags=[])
    with pytest.raises(InputError) as refusal:
        world.research.ask(world.workspace, "n1", Effect(world.store.effects, "k"), plan=True)
    assert refusal.value.details["field"] == "plan" and world.operations() == []
    world.delivered(world.tag(tags=["research:plan"]))
    world.start()
    assert world.operation.error is not None and world.operation.error.code == "plan_unavailable"
    assert world.interactions.created == []


def test_asking_by_hand_may_overrule_the_setting(make_world: MakeWorld) -> None:
    world = make_world(research_plan_first=True)
    world.write_note("n1", title="Bees", body="Why?", tags=[])
    world.research.ask(world.workspace, "n1", Effect(world.store.effects, "k"), plan=False)
    assert not world.operation.plan_first


def test_a_stored_plan_of_an_older_shape_is_read() -> None:
    kept = {"text": "x", "proposed_at": "2026-12-01T00:00:00Z", "expires_at": "2026-12-02T00:00:00Z"}
    assert ResearchPlan.model_validate(kept).revision == 1
    assert issubclass(PlanConflict, Conflict)
