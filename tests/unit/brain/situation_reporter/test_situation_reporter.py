"""The report: one a day, of what there is, with links to what it rests on; deleted, it stays deleted."""

from __future__ import annotations

from datetime import date

from shared.brain.agents.situation_reporter.agent import AGENT
from shared.contracts.memory import Focus
from shared.contracts.notes import NoteKind
from shared.contracts.tasks import TaskCreate
from shared.llm.port import Text
from shared.notes.delete import delete
from shared.store.contradictions import opened, writing
from shared.store.database import Database
from shared.store.workspace import WorkspaceStore
from shared.tasks.create import create
from tests.support.desks import a_desk, worked
from tests.support.memories import SAID, a_record, remember
from tests.support.scripted_model import ScriptedModel
from tests.support.seams import CountingIds, FakeClock


def situation(store: WorkspaceStore, database: Database, clock: FakeClock) -> None:
    remember(database, a_record("r1", "The boat is [blue](x)."), a_record("r2", "The boat is red."))
    database.commit([writing(opened("r1", "r2", "One colour.", SAID))], "test")
    store.focus.change(
        lambda _: Focus(title="Boat", summary="It is painted.", record_ids=("r1",), updated_at=SAID), point="test"
    )
    for title, due in (("Buy paint", date(2026, 11, 29)), ("Much later", date(2027, 5, 1))):
        create(store, TaskCreate(title=title, due=due), clock=clock, ids=CountingIds(title[:3]), key=None)


def test_the_note_lists_what_there_is_with_links_and_is_written_once_a_day(
    store: WorkspaceStore, database: Database, clock: FakeClock
) -> None:
    situation(store, database, clock)
    first = worked(AGENT, {}, a_desk(store, clock), database)
    again = worked(AGENT, {}, a_desk(store, clock), database)
    note = store.notes.get(first.output["note_id"])
    assert note.kind is NoteKind.REPORT and note.title == "Situation on 2026-11-30"
    assert "(#/records/r1)" in note.body and r"\[blue\]" in note.body and "overdue since 2026-11-29" in note.body
    assert "Much later" not in note.body and first.output["record_ids"] == ("r1", "r2")
    assert (first.output["created"], again.output["created"]) == (True, False)
    clock.advance(86_400)
    assert worked(AGENT, {}, a_desk(store, clock), database).output["note_id"] != note.id


def test_a_model_writes_above_the_list(store: WorkspaceStore, database: Database, clock: FakeClock) -> None:
    situation(store, database, clock)
    with ScriptedModel([Text('{"text": "The paint is late."}')]) as model:
        outcome = worked(AGENT, {}, a_desk(store, clock, model), database)
    assert store.notes.get(outcome.output["note_id"]).body.startswith("The paint is late.\n\n## Focus")


def test_who_deleted_todays_is_heard(store: WorkspaceStore, database: Database, clock: FakeClock) -> None:
    situation(store, database, clock)
    note_id = worked(AGENT, {}, a_desk(store, clock), database).output["note_id"]
    delete(store, note_id, by="me")
    assert not worked(AGENT, {}, a_desk(store, clock), database).output["created"]
    assert store.notes.find(note_id) is None


def test_where_there_is_nothing_to_tell_no_note_is_written(
    store: WorkspaceStore, database: Database, clock: FakeClock
) -> None:
    assert worked(AGENT, {}, a_desk(store, clock), database).output["note_id"] is None
