"""The sweep, in a Firestore of its own for each test: it looks at all workspaces."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from shared.contracts.operations import Operation
from shared.errors import Transient
from shared.gateway.interactions import InteractionError
from shared.operations.stopping import Stopping
from shared.research import reconciling
from shared.store.notes import NotesWanted
from tests.support.cloud import local_firestore
from tests.unit.research.build import output
from tests.unit.research.world import MovableClock, World, execution

AWAY = InteractionError("http_503", "away", sent=True, http_status=503)


@pytest.fixture
def world(tmp_path: Path, clock: MovableClock) -> Iterator[World]:
    with local_firestore(tmp_path, clock) as client:
        yield World(client, clock, "alone")


def test_an_orphan_that_could_not_be_cancelled_is_left_to_the_sweep(world: World) -> None:
    def cancelled_meanwhile() -> str:
        world.research.engine.cancel(world.workspace, world.operation.id)
        return "v1_orphan"

    world.delivered(world.tag())
    world.interactions.creates = [cancelled_meanwhile]
    world.interactions.cancel_error = InteractionError("http_500", "x", sent=True, http_status=500)
    world.start()
    assert world.operation.cancel_pending
    world.interactions.cancel_error = None
    world.reconciler.sweep()
    assert world.interactions.cancelled == ["v1_orphan"]
    assert not world.operation.cancel_pending


def test_a_cancel_that_stopped_half_way_is_finished_by_the_sweep(world: World) -> None:
    world.begin()
    world.interactions.cancel_error = AWAY
    world.research.engine.cancel(world.workspace, world.operation.id)
    world.interactions.cancel_error = None
    world.reconciler.sweep()
    world.reconciler.sweep()
    assert world.interactions.cancelled == ["v1_run1"] and world.executions.cancelled == [execution(1)]


def test_what_cannot_be_stopped_for_a_day_is_given_up(world: World) -> None:
    world.begin()
    world.interactions.cancel_error = AWAY
    world.research.engine.cancel(world.workspace, world.operation.id)
    world.clock.advance(90_000)
    world.reconciler.sweep()
    assert not world.operation.cancel_pending


def test_the_sweep_starts_what_was_committed_and_never_started(world: World) -> None:
    def die() -> Exception:
        raise KeyboardInterrupt

    world.executions.starts = [die]
    with pytest.raises(KeyboardInterrupt):
        world.delivered(world.tag())
    world.reconciler.sweep()
    assert world.operation.execution is None, "its launch lease is still held"
    world.clock.advance(61)
    world.reconciler.sweep()
    assert world.operation.execution == execution(1)


def test_the_sweep_starts_another_execution_for_a_dead_one_and_the_run_goes_on(world: World) -> None:
    world.begin()
    world.clock.advance(61)
    world.reconciler.sweep()
    assert len(world.executions.started) == 1, "a living execution is left alone"
    world.executions.dead.add(execution(1))
    world.reconciler.sweep()
    assert world.operation.execution == execution(2) and not world.operation.claimed
    assert world.start(2).fence == 2
    assert len(world.interactions.created) == 1
    world.interactions.shows("v1_run1", "completed", output("See [a](https://a.example)."))
    assert world.poll().status == "completed"


def test_the_sweep_opens_what_is_tagged_and_has_no_operation(world: World) -> None:
    change = world.tag()
    world.reconciler.sweep()
    assert world.operations() == [], "a young note is left to its event"
    world.clock.advance(61)
    world.reconciler.sweep()
    assert world.operation.source_note_id == "n1"
    world.delivered(change)
    world.reconciler.sweep()
    assert len(world.operations()) == 1


def test_the_sweep_sees_a_retagging_whose_event_was_lost_and_no_other_write(world: World) -> None:
    world.delivered(world.tag())
    world.research.engine.cancel(world.workspace, world.operation.id)
    world.tag(body="Edited.")
    world.clock.advance(61)
    world.reconciler.sweep()
    assert len(world.operations()) == 1
    world.delivered(world.tag(tags=[]))
    world.tag()
    world.clock.advance(61)
    world.reconciler.sweep()
    assert len(world.operations()) == 2


def test_a_sweep_that_stood_still_while_the_tagging_was_dealt_with_opens_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    tagging = world.tag()
    world.tag(body="Edited, so that the last write is not the one that added the tag.")
    world.clock.advance(61)
    open_operation = reconciling.open_operation

    def after_a_standstill(*arguments: Any) -> Any:
        world.delivered(tagging)
        world.research.engine.cancel(world.workspace, world.operation.id)
        return open_operation(*arguments)

    monkeypatch.setattr(reconciling, "open_operation", after_a_standstill)
    world.reconciler.sweep()

    assert len(world.operations()) == 1


def test_one_thing_that_cannot_be_mended_does_not_keep_the_others_from_it(world: World) -> None:
    world.tag("n1")
    world.tag("n2")
    world.clock.advance(61)
    world.executions.starts = [Transient("away")]
    answer = world.reconciler.sweep()
    assert answer.failed >= 1
    assert len(world.operations()) == 2


def test_an_operation_that_cannot_be_read_does_not_keep_the_others_from_being_mended(world: World) -> None:
    spoiled = {"status": "running", "updated_at": world.clock.now()}
    world.client.document(f"workspaces/{world.workspace}/operations/a-spoiled-one").set(spoiled)
    world.executions.starts = [Transient("away")]
    with pytest.raises(Transient):
        world.delivered(world.tag())
    world.clock.advance(100)
    swept = world.reconciler.sweep()
    assert swept.launched == 1 and swept.failed == 1
    assert swept.failures == (f"{world.workspace}/a-spoiled-one: unprocessable",)


def test_what_was_written_by_hand_beside_the_workspaces_or_into_a_claim_stops_no_sweep(world: World) -> None:
    for path in ("operations/junk", "workspaces/a b/operations/junk", "workspaces/w/x/y/operations/junk"):
        fields = {"status": "running", "cancel_pending": True, "updated_at": world.clock.now(), "kind": 5}
        world.client.document(path).set(fields)
    world.client.document("notes/junk").set({"tags": ["research"]})
    world.client.document(f"workspaces/{world.workspace}/leases/research-a").set({"operation_id": 5})
    world.tag("a")
    world.tag("b")
    world.clock.advance(100)
    swept = world.reconciler.sweep()
    assert [operation.source_note_id for operation in world.operations()] == ["b"]
    assert swept.opened == 1 and f"{world.workspace}/a: unprocessable" in swept.failures


def test_a_fault_of_ours_in_one_thing_does_not_keep_the_others_from_being_mended(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_stopping: Stopping, _workspace: str, _operation_id: str) -> Operation:
        raise RuntimeError("a bug")

    world.begin()
    world.research.engine.cancel(world.workspace, world.operation.id)
    world.edit(cancel_pending=True)
    world.tag("n2")
    world.clock.advance(100)
    monkeypatch.setattr(Stopping, "finish", broken)
    swept = world.reconciler.sweep()
    assert swept.failures == (f"{world.workspace}/{world.operations()[-1].id}: internal",) and swept.opened == 1


def test_sweeps_come_to_a_new_note_however_many_were_researched(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconciling, "_NOTES", 5)
    monkeypatch.setattr(reconciling, "_NEWEST_NOTES", 2)
    now = world.clock.now()
    for n in range(12):
        done = {"operation_id": f"op{n}", "tagged_at": now + timedelta(days=1)}
        world.client.document(f"workspaces/{world.workspace}/leases/research-a{n}").set(done)
        world.tag(f"a{n}")
    world.tag("z", updated_at=world.clock.now())
    world.clock.advance(100)
    world.reconciler.sweep()
    assert [operation.source_note_id for operation in world.operations()] == ["z"], "the newest is seen at once"
    world.tag("zz")  # by a client that says nothing of when
    for _ in range(3):
        world.clock.advance(100)
        world.reconciler.sweep()
    assert {operation.source_note_id for operation in world.operations()} == {"z", "zz"}


def test_the_sweep_fills_in_a_note_whose_event_was_too_large_to_be_sent(world: World) -> None:
    world.write_note("large", body="B" * 900_000)
    world.reconciler.sweep()
    assert world.store.notes.list(NotesWanted(limit=9)).notes == (), "a young note is left to its event"
    world.clock.advance(100)
    assert world.reconciler.sweep().filled == 1
    [note] = world.store.notes.list(NotesWanted(limit=9)).notes
    assert (note.id, note.title, note.body_bytes) == ("large", "B" * 300, 900_000)
    assert world.reconciler.sweep().filled == 0
