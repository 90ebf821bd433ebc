"""Operations in pages, claims, and what mending sees over all workspaces."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from shared.contracts.notes import Note
from shared.contracts.operations import Operation, ResearchClaim
from shared.errors import NotFound
from shared.store import system as system_module
from shared.store.database import Database
from shared.store.errors import Contention, Malformed
from shared.store.notes import creating
from shared.store.streams import Append, EventDraft
from shared.store.system import Found, SystemStore
from shared.store.workspace import WorkspaceStore
from shared.store.writes import create, put
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
    monkeypatch.setattr(system_module, "PAGE", 2)
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
    monkeypatch.setattr(system_module, "PAGE", 2)
    now: datetime = clock.now()
    for n in range(5):
        note = Note(id=f"n{n}", kind="capture" if n else "research", tags=("research",), created_at=now, updated_at=now)
        database.commit(creating(note), "test")
    database.commit([create("notes/plain", {"tags": ["research"]}), create("notes/none", {"tags": "research"})], "test")
    database.commit([put("other/x/notes/deep", {"tags": ["research"]})], "test")
    found = [one.id for one in system.tagged_notes() if one.workspace == store.workspace]
    assert found == ["n1", "n2", "n3", "n4", "plain"]
