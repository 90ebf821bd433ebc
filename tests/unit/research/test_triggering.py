"""From a note's writes to operations: once for each tagging, whatever the deliveries."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from shared.errors import Forbidden, NotFound, Transient
from shared.operations.launch import LAUNCHES
from tests.unit.research.world import MakeWorld, World, execution


def test_a_note_created_with_the_tag_gets_an_operation_and_an_execution(world: World) -> None:
    world.delivered(world.tag())
    operation = world.operation
    assert (operation.source_note_id, operation.title, operation.status) == ("n1", "Bees", "running")
    assert operation.execution == execution(1)
    assert world.executions.started == [{"workspace": world.workspace, "operation_id": operation.id}]
    assert world.types() == ["created", "execution_started"]


def test_a_tag_that_is_added_later_begins_research_and_other_writes_do_not(world: World) -> None:
    world.delivered(world.tag(tags=["hive"]))
    assert world.operations() == []
    world.delivered(world.tag())
    world.delivered(world.tag(body="Edited."))
    assert len(world.operations()) == 1


@pytest.mark.parametrize("kind", ["research", "digest", "review", "report", "answer", "unheard_of", 7, None])
def test_only_captures_are_researched(world: World, kind: object) -> None:
    world.delivered(world.tag(kind=kind))
    assert world.operations() == []


@pytest.mark.parametrize("tags", [["Research"], [" RESEARCH "], ["research", 3, None]])
def test_the_tag_is_read_as_the_api_would_store_it(world: World, tags: list[object]) -> None:
    world.delivered(world.tag(tags=tags))
    assert len(world.operations()) == 1


def test_the_same_event_three_times_at_once_is_one_operation_and_one_execution(world: World) -> None:
    change = world.tag()
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(world.delivered, [change] * 3))
    world.delivered(change)
    assert len(world.operations()) == 1
    assert len(world.executions.started) == 1


def test_two_taggings_delivered_in_the_wrong_order_are_one_research(world: World) -> None:
    first, off, second = world.tag(), world.tag(tags=[]), world.tag(body="Again?")
    for change in (second, first, off):
        world.delivered(change)
    assert len(world.operations()) == 1


def test_a_tagging_while_research_runs_is_told_to_it(world: World) -> None:
    world.delivered(world.tag())
    world.delivered(world.tag(tags=[]))
    world.delivered(world.tag())
    assert world.types() == ["created", "execution_started", "tagged_again"]


def test_tagging_anew_after_the_end_begins_anew_and_old_events_do_not(world: World) -> None:
    first = world.tag()
    world.delivered(first)
    world.research.engine.cancel(world.workspace, world.operation.id)
    world.delivered(first)
    assert len(world.operations()) == 1
    world.delivered(world.tag(tags=[]))
    world.delivered(world.tag())
    assert len(world.operations()) == 2


def test_a_note_that_comes_back_from_the_trash_is_not_researched_again(world: World) -> None:
    world.delivered(world.tag())
    world.research.engine.cancel(world.workspace, world.operation.id)
    world.store.trash.put_in("n1", "me")
    world.delivered(replace(world.tag(restored_at=world.clock.now()), old=None))
    assert len(world.operations()) == 1


def test_an_event_that_comes_after_the_tag_was_taken_off_begins_nothing(world: World) -> None:
    tagged = world.tag()
    world.tag(tags=[])
    world.delivered(tagged)
    assert world.operations() == []


def test_a_deleted_note_and_the_event_of_its_deletion_begin_nothing(world: World) -> None:
    tagged = world.tag()
    world.client.document(f"workspaces/{world.workspace}/notes/n1").delete()
    world.delivered(tagged)
    world.delivered(replace(tagged, old=tagged.new, new=None, update_time=None))
    assert world.operations() == []


def test_a_start_that_is_unavailable_leaves_a_running_operation_that_says_so_and_is_tried_again(world: World) -> None:
    world.executions.starts = [Transient("Workflows is away")]
    change = world.tag()
    with pytest.raises(Transient):
        world.delivered(change)
    assert world.operation.status == "running"
    assert world.operation.error is not None and world.operation.error.code == "start_unavailable"
    world.research.engine.work_created(world.workspace, world.operation.id)
    assert (world.operation.execution, world.operation.error) == (execution(1), None)
    assert world.types() == ["created", "start_failed", "execution_started"]


def test_the_event_that_failed_to_start_starts_when_it_is_delivered_again(world: World) -> None:
    world.executions.starts = [Transient("Workflows is away")]
    change = world.tag()
    with pytest.raises(Transient):
        world.delivered(change)
    world.delivered(change)
    assert world.operation.execution == execution(1)


@pytest.mark.parametrize("error", [NotFound("no such workflow"), Forbidden("not allowed")])
def test_a_start_that_is_refused_fails_the_operation_and_says_what_to_do(world: World, error: Exception) -> None:
    world.executions.starts = [error]
    world.delivered(world.tag())
    operation = world.operation
    assert operation.status == "failed"
    assert operation.error is not None and "Deploy the workflow" in operation.error.message
    assert world.types() == ["created", "failed"]


def test_work_created_waits_for_who_holds_the_lease_and_starts_after_it_expired(world: World) -> None:
    def die() -> Exception:
        raise KeyboardInterrupt

    world.executions.starts = [die]
    with pytest.raises(KeyboardInterrupt):
        world.delivered(world.tag())
    with pytest.raises(Transient):
        world.research.engine.work_created(world.workspace, world.operation.id)
    world.clock.advance(world.settings.launch_lease_seconds)
    world.research.engine.work_created(world.workspace, world.operation.id)
    assert world.operation.execution == execution(1)
    assert world.operation.launches == 2


def test_work_created_leaves_started_and_ended_operations_alone(world: World) -> None:
    world.delivered(world.tag())
    world.research.engine.work_created(world.workspace, world.operation.id)
    world.research.engine.cancel(world.workspace, world.operation.id)
    world.research.engine.work_created(world.workspace, world.operation.id)
    assert len(world.executions.started) == 1


def test_a_long_outage_of_workflows_is_told_once_and_outlasted(world: World) -> None:
    world.executions.starts = [Transient("away")] * 30
    with pytest.raises(Transient):
        world.delivered(world.tag())
    for _ in range(29):
        with pytest.raises(Transient):
            world.research.engine.work_created(world.workspace, world.operation.id)
    assert world.types() == ["created", "start_failed"]
    world.research.engine.work_created(world.workspace, world.operation.id)
    assert (world.operation.execution, world.operation.launches) == (execution(1), 1)


def test_an_operation_that_cannot_be_started_for_a_day_fails(world: World) -> None:
    world.executions.starts = [Transient("away")] * 3
    with pytest.raises(Transient):
        world.delivered(world.tag())
    world.clock.advance(86_500)
    world.research.engine.work_created(world.workspace, world.operation.id)
    operation = world.operation
    assert operation.error is not None and operation.error.code == "start_unavailable"
    assert operation.status == "failed" and "away" in operation.error.message


def test_executions_that_die_one_after_the_other_are_counted_and_end(world: World) -> None:
    world.delivered(world.tag())
    for number in range(1, LAUNCHES):
        world.research.engine.launching.ensure(world.workspace, world.operation.id, dead=execution(number))
    assert world.operation.status == "running"
    world.research.engine.launching.ensure(world.workspace, world.operation.id, dead=execution(LAUNCHES))
    assert world.operation.error is not None and world.operation.error.code == "launches_exhausted"
    assert len(world.executions.started) == LAUNCHES


def test_a_note_written_directly_gets_what_the_api_fills_in_by_one_write(world: World) -> None:
    change = world.write_note("n2", body="# First line\n\nMore.", tags=["A", "b"])
    world.delivered(change)
    reading = world.store.notes.find("n2")
    assert reading is not None and reading.missing == () and reading.untidy == ()
    assert (reading.note.title, reading.note.body_bytes, reading.note.tags) == ("First line", 19, ("a", "b"))
    second = replace(change, old=change.new, new=_fields(world, "n2"), update_time=_update_time(world, "n2"))
    world.delivered(second)
    assert _update_time(world, "n2") == second.update_time, "the trigger's own write must not make it write again"


def test_invalid_fields_are_told_once_and_left_as_they_are(world: World) -> None:
    change = world.write_note("n3", body="x", title=5, kind="capture", tags="hive")
    world.delivered(change)
    world.delivered(change)
    events = world.store.streams.read("notes/n3")
    assert [(event.type, event.data) for event in events] == [("note_invalid", {"fields": ["tags", "title"]})]
    assert _fields(world, "n3")["title"] == 5
    second = replace(change, old=change.new, new=_fields(world, "n3"), update_time=_update_time(world, "n3"))
    world.delivered(second)
    assert len(world.store.streams.read("notes/n3")) == 1


def test_an_old_event_does_not_touch_a_newer_note(world: World) -> None:
    old = world.write_note("n4", body="old")
    new = world.write_note("n4", body="new")
    world.delivered(old)
    assert _update_time(world, "n4") == new.update_time


def _fields(world: World, note_id: str) -> dict[str, object]:
    return world.client.document(f"workspaces/{world.workspace}/notes/{note_id}").get().to_dict() or {}


def _update_time(world: World, note_id: str) -> object:
    return world.client.document(f"workspaces/{world.workspace}/notes/{note_id}").get().update_time


def test_worlds_do_not_see_each_other(make_world: MakeWorld) -> None:
    one, other = make_world(), make_world()
    one.delivered(one.tag())
    assert other.operations() == []


@pytest.mark.parametrize("fields", [{"title": "T" * 300_000}, {"title": "", "body": "B" * 90_000}])
def test_a_title_of_any_length_gives_the_operation_one_that_fits(world: World, fields: dict[str, str]) -> None:
    world.delivered(world.tag(**fields))
    assert len(world.operation.title) == 300
    world.start()
    assert len(str(world.interactions.created[0]["input"]).partition("<topic")[2].partition(">")[0]) < 400


def test_a_note_that_says_its_stream_has_ended_is_filled_in_and_told_of(world: World) -> None:
    world.delivered(world.tag(stream_ended=True, kind=7, tags=["Research"]))
    reading = world.store.notes.find("n1")
    assert reading is not None and reading.repairs == {} and reading.invalid == ("kind",)
    assert [event.type for event in world.store.streams.read("notes/n1")] == ["note_invalid"]


def test_a_lease_that_somebody_else_used_up_starts_nothing_more(world: World) -> None:
    """So it is found where the answer to the commit with the lease was lost."""
    world.delivered(world.tag())
    used_up = world.operation
    assert used_up.launch_expires_at is None
    found = world.research.engine.launching.start(world.workspace, used_up)
    assert found.execution == used_up.execution and len(world.executions.started) == 1
