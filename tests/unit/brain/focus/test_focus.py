"""The focus: when it shifts and when not, who says so, and that its words rest on records that are there."""

from __future__ import annotations

import json
from datetime import timedelta

from shared.brain.agents.focus_distiller.agent import AGENT as DISTILLER
from shared.brain.agents.focus_shift_judge.agent import AGENT as JUDGE
from shared.contracts.memory import Focus, RecordType
from shared.llm.port import Text
from shared.memory.forgetting import derived_writes
from shared.store.database import Database
from shared.store.records import removing
from shared.store.workspace import WorkspaceStore
from tests.support.desks import a_desk, worked
from tests.support.memories import a_record, remember
from tests.support.scripted_model import ScriptedModel
from tests.support.seams import FakeClock


def about(database: Database, clock: FakeClock, subject: str, count: int, prefix: str = "r") -> None:
    for n in range(count):
        clock.advance(60)
        text = f"The {subject} is at stage {n}."
        remember(database, a_record(f"{prefix}{n}", text, subject, type=RecordType.PLAN, at=clock.now()))


def focus_of(store: WorkspaceStore) -> Focus:
    focus = store.focus.find()
    assert focus is not None
    return focus


def test_two_records_are_no_focus_and_three_are(store: WorkspaceStore, database: Database, clock: FakeClock) -> None:
    about(database, clock, "roof", 2)
    first = worked(JUDGE, {}, a_desk(store, clock), database)
    assert (first.output["shifted"], first.events, first.enqueue) == (False, (), ())
    about(database, clock, "roof", 1, "more")
    second = worked(JUDGE, {}, a_desk(store, clock), database)
    assert second.output["shifted"] and second.output["looked_at"] == 1 and focus_of(store).title == "roof"
    (event,) = second.events
    assert (
        event.type == "focus_shifted"
        and len(event.data["record_ids"]) == 3
        and "roof" not in json.dumps({**event.data, "active_since": ""})
    )


def test_a_focus_stays_until_another_matter_outweighs_it(
    store: WorkspaceStore, database: Database, clock: FakeClock
) -> None:
    about(database, clock, "roof", 4, "roof")
    worked(JUDGE, {}, a_desk(store, clock), database)
    since = focus_of(store).active_since
    about(database, clock, "boat", 3, "boat")
    assert not worked(JUDGE, {}, a_desk(store, clock), database).output["shifted"]
    assert focus_of(store).active_since == since
    about(database, clock, "boat", 5, "later")
    assert worked(JUDGE, {}, a_desk(store, clock), database).output["shifted"] and focus_of(store).title == "boat"


def test_with_nothing_new_nothing_is_written_and_no_model_asked(
    store: WorkspaceStore, database: Database, clock: FakeClock
) -> None:
    about(database, clock, "roof", 3)
    worked(JUDGE, {}, a_desk(store, clock), database)
    with ScriptedModel() as model:
        assert worked(JUDGE, {}, a_desk(store, clock, model), database).writes == ()


def test_a_model_may_not_shift_the_focus_to_one_record_or_to_none_that_is_there(
    store: WorkspaceStore, database: Database, clock: FakeClock
) -> None:
    about(database, clock, "roof", 2)
    said = {"shifted": True, "title": "Something else", "record_ids": ["r0", "invented"]}
    with ScriptedModel([Text(json.dumps(said))]) as model:
        outcome = worked(JUDGE, {}, a_desk(store, clock, model), database)
    assert not outcome.output["shifted"] and outcome.events == () and focus_of(store).title == ""


def test_the_summary_names_the_records_it_rests_on(store: WorkspaceStore, database: Database, clock: FakeClock) -> None:
    about(database, clock, "roof", 3)
    judged = worked(JUDGE, {}, a_desk(store, clock), database)
    (job,) = judged.enqueue
    said = {"summary": "The roof comes on.", "record_ids": ["r2", "invented"]}
    with ScriptedModel([Text(json.dumps(said))]) as model:
        outcome = worked(DISTILLER, dict(job.input), a_desk(store, clock, model), database)
    assert outcome.output["record_ids"] == ("r2",) and focus_of(store).summary == "The roof comes on."
    assert [one.kind for one in outcome.enqueue] == ["situation_reporter"]
    assert outcome.enqueue[0].run_after is not None and outcome.enqueue[0].run_after > clock.now()


def test_a_focus_that_has_shifted_meanwhile_gets_no_words_of_the_one_before(
    store: WorkspaceStore, database: Database, clock: FakeClock
) -> None:
    about(database, clock, "roof", 3)
    worked(JUDGE, {}, a_desk(store, clock), database)

    def shifting(_request: object) -> list[Text]:
        moved = {"title": "boat", "summary": "", "active_since": clock.now() + timedelta(hours=1)}
        store.focus.change(lambda now: now and now.model_copy(update=moved), point="test")
        return [Text(json.dumps({"summary": "About the roof.", "record_ids": ["r0"]}))]

    with ScriptedModel(shifting) as model:
        outcome = worked(DISTILLER, {}, a_desk(store, clock, model), database)
    assert (focus_of(store).title, focus_of(store).summary) == ("boat", "") and outcome.output["message"]


def test_a_record_that_is_forgotten_while_it_is_described_leaves_no_words(
    store: WorkspaceStore, database: Database, clock: FakeClock
) -> None:
    about(database, clock, "roof", 3)
    worked(JUDGE, {}, a_desk(store, clock), database)

    def forgetting(_request: object) -> list[Text]:
        database.commit([removing("r1"), *derived_writes(store, "r1", clock.now())], "test")
        return [Text(json.dumps({"summary": "Secret.", "record_ids": ["r0", "r1"]}))]

    with ScriptedModel(forgetting) as model:
        worked(DISTILLER, {}, a_desk(store, clock, model), database)
    assert focus_of(store).summary == "" and focus_of(store).record_ids == ("r2", "r0")
