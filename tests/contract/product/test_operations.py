"""Operations in pages, claims, and what mending sees over all workspaces."""

from __future__ import annotations

import itertools
import random
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from shared.contracts.notes import Note
from shared.contracts.operations import Operation, ResearchClaim
from shared.errors import NotFound
from shared.store import rounds
from shared.store.database import Database
from shared.store.errors import Contention, Malformed
from shared.store.notes import creating
from shared.store.streams import Append, EventDraft
from shared.store.system import Found, SystemStore
from shared.store.workspace import WorkspaceStore
from shared.store.writes import create, put
from tests.support.cloud import local_firestore
from tests.support.seams import FakeClock


def make(store: WorkspaceStore, clock: FakeClock, operation_id: str, **fields: Any) -> Operation:
    clock.advance(1)
    now = clock.now()
    values = {"created_at": now, "updated_at": now, "source_note_id": "n"} | fields
    operation = Operation(id=operation_id, **values)
    begin = Append(operation.model_dump(), (EventDraft("created"),))
    return store.operations.append(operation_id, lambda *_: begin, point="test", create=True).operation


def test_an_operation_is_read_as_it_was_stored(store: WorkspaceStore, clock: FakeClock) -> None:
    operation = make(store, clock, "op", usage={"searches": 3}, interactions=())
    assert store.operations.get("op") == operation and operation.seq == 1
    with pytest.raises(NotFound):
        store.operations.get("absent")


def test_a_malformed_document_is_a_failure_of_its_own_and_hides_no_other(
    store: WorkspaceStore, clock: FakeClock, database: Database
) -> None:
    make(store, clock, "good")
    database.commit([create("operations/bad", {"created_at": clock.now(), "status": "paused"})], "test")
    database.commit([create("leases/research-n", {"tagged_at": "noon"})], "test")
    with pytest.raises(Malformed, match=r"operations/bad is malformed in id"):
        store.operations.get("bad")
    with pytest.raises(Malformed, match="tagged_at"):
        store.claims.read("n")
    assert [one.id for one in store.operations.list(limit=9)[0]] == ["good"]


def test_lists_by_state_and_kind_in_pages(store: WorkspaceStore, clock: FakeClock) -> None:
    for n in range(5):
        make(store, clock, f"op{n}", status="running" if n % 2 else "failed", kind="k" if n < 4 else "deep_research")
    first, cursor = store.operations.list(limit=3)
    rest, end = store.operations.list(limit=3, cursor=cursor)
    assert [one.id for one in first + rest] == ["op4", "op3", "op2", "op1", "op0"] and end is None
    assert [one.id for one in store.operations.list(status="running", limit=9)[0]] == ["op3", "op1"]
    assert [one.id for one in store.operations.list(kind="k", limit=9)[0]] == ["op3", "op2", "op1", "op0"]
    assert [one.id for one in store.operations.list(kind="k", status="failed", limit=9)[0]] == ["op2", "op0"]


def test_a_claim_is_written_by_whoever_read_it_last(store: WorkspaceStore, clock: FakeClock) -> None:
    first, second = store.claims.read("n"), store.claims.read("n")
    store.claims.save(first, ResearchClaim(operation_id="a"), point="test")
    with pytest.raises(Contention):
        store.claims.save(second, ResearchClaim(operation_id="b"), point="test")
    third, fourth = store.claims.read("n"), store.claims.read("n")
    store.claims.save(third, ResearchClaim(operation_id="c", tagged_at=clock.now()), point="test")
    with pytest.raises(Contention):
        store.claims.save(fourth, ResearchClaim(operation_id="d"), point="test")
    assert store.claims.read("n").claim == ResearchClaim(operation_id="c", tagged_at=clock.now())


def test_mending_finds_what_is_stale_over_all_workspaces(
    store: WorkspaceStore, clock: FakeClock, system: SystemStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "PAGE", 2)
    for n in range(5):
        make(store, clock, f"op{n}")
    make(store, clock, "done", status="completed")
    before = clock.now() - timedelta(seconds=2)
    found = [one for one in system.stale_operations(before) if one.workspace == store.workspace]
    assert found == [Found(store.workspace, f"op{n}") for n in range(3)]
    assert len(list(system.stale_operations(before, limit=3))) == 3


def test_mending_finds_half_cancelled_operations(store: WorkspaceStore, clock: FakeClock, system: SystemStore) -> None:
    make(store, clock, "half", status="cancelled", cancel_pending=True)
    make(store, clock, "whole", status="cancelled")
    found = [one.id for one in system.half_cancelled_operations() if one.workspace == store.workspace]
    assert found == ["half"]


def test_mending_finds_tagged_captures_only_and_at_their_place(
    store: WorkspaceStore, clock: FakeClock, database: Database, system: SystemStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "PAGE", 2)
    now: datetime = clock.now()
    for n in range(5):
        note = Note(id=f"n{n}", kind="capture" if n else "research", tags=("research",), created_at=now, updated_at=now)
        database.commit(creating(note), "test")
    database.commit([create("notes/plain", {"tags": ["research"]}), create("notes/none", {"tags": "research"})], "test")
    database.commit([put("other/x/notes/deep", {"tags": ["research"]})], "test")
    found = [one.id for one in system.tagged_notes() if one.workspace == store.workspace]
    assert found == ["n1", "n2", "n3", "n4", "plain"]


def test_walks_of_a_bounded_length_reach_every_tagged_note_in_turn_and_begin_again(
    clock: FakeClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "PAGE", 3)
    monkeypatch.setattr(rounds, "_REMEMBERED_EVERY", 2)
    with local_firestore(tmp_path) as alone:
        notes = alone.collection("workspaces/w/notes")
        for n in range(10):
            notes.document(f"n{n}").set({"tags": ["research"]})
        system = SystemStore(alone, clock, random.Random(3))
        walks = [[found.id for found in system.tagged_notes(4)] for _ in range(5)]
        assert walks[0] == ["n0", "n1", "n2", "n3"] and walks[2] == ["n8", "n9", "n0", "n1"]
        assert sorted(itertools.chain(*walks)) == sorted([f"n{n}" for n in range(10)] * 2)
        assert [found.id for found in system.tagged_notes(50)] == [f"n{n}" for n in range(10)]
        alone.document("sweeps/tagged-notes").set({"path": "n5"})
        assert len(list(system.tagged_notes(50))) == 10, "a position that is none is the beginning"


def test_a_walk_that_breaks_off_goes_on_near_where_it_was(
    clock: FakeClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "_REMEMBERED_EVERY", 2)
    with local_firestore(tmp_path) as alone:
        for n in range(9):
            fields = {"status": "running", "updated_at": clock.now() + timedelta(seconds=n // 4)}
            alone.document(f"workspaces/w/operations/op{n}").set(fields)
        system = SystemStore(alone, clock, random.Random(3))
        later = clock.now() + timedelta(hours=1)
        first = [found.id for found in itertools.islice(system.stale_operations(later), 6)]
        second = [found.id for found in system.stale_operations(later)]
        assert first == [f"op{n}" for n in range(6)] and second[0] == "op4"
        assert sorted(second) == [f"op{n}" for n in range(9)]


def test_the_newest_tagged_notes_come_first_and_without_waiting_for_their_turn(
    store: WorkspaceStore, database: Database, clock: FakeClock, system: SystemStore
) -> None:
    now: datetime = clock.now()
    moments: tuple[Any, ...] = (now - timedelta(hours=1), now, now - timedelta(days=2), now + timedelta(days=1), "x", 7)
    for n, moment in enumerate(moments):
        database.commit([create(f"notes/n{n}", {"tags": ["research"], "updated_at": moment})], "test")
    found = system.newest_tagged_notes(now - timedelta(days=1), now)
    assert [one.id for one in found if one.workspace == store.workspace] == ["n1", "n0"]


def test_notes_that_no_list_shows_are_found(store: WorkspaceStore, database: Database, system: SystemStore) -> None:
    for name, fields in {"a": {}, "b": {"created_at": "2026-11-30"}, "c": {"created_at": datetime.max}}.items():
        database.commit([create(f"notes/{name}", fields)], "test")
    database.commit([create("notes/d", {"created_at": datetime(2026, 11, 30)})], "test")
    assert [one.id for one in system.unlisted_notes() if one.workspace == store.workspace] == ["a", "b", "c"]


def test_a_walk_over_all_notes_rests_and_others_do_not(clock: FakeClock, tmp_path: Path) -> None:
    with local_firestore(tmp_path) as alone:
        alone.document("workspaces/w/notes/n").set({"tags": ["research"]})
        alone.document("workspaces/w/operations/o").set({"cancel_pending": True})
        system = SystemStore(alone, clock, random.Random(3), timedelta(hours=1))

        def found() -> list[int]:
            walks = (system.tagged_notes(), system.unlisted_notes(), system.notes_in_turn())
            return [*(len(list(walk)) for walk in walks), len(list(system.half_cancelled_operations()))]

        assert found() == [1, 1, 1, 1]
        assert found() == [0, 0, 0, 1]
        clock.advance(3601)
        assert found() == [1, 1, 1, 1]


def test_a_walk_that_has_rested_goes_on_where_it_stopped(clock: FakeClock, tmp_path: Path) -> None:
    with local_firestore(tmp_path) as alone:
        for n in range(4):
            alone.document(f"workspaces/w/notes/n{n}").set({"tags": ["research"]})
        system = SystemStore(alone, clock, random.Random(3), timedelta(hours=1))
        assert [found.id for found in system.tagged_notes(2)] == ["n0", "n1"]
        clock.advance(3601)
        assert [found.id for found in system.tagged_notes(2)] == ["n2", "n3"]
