"""The trash: a deleted note is gone for all who read notes, comes back as it was, and goes for good after 30 days."""

from __future__ import annotations

from datetime import timedelta

import pytest

from shared.contracts.notes import Note
from shared.contracts.trash import TRASH_KEPT
from shared.errors import Conflict, NotFound
from shared.notes.delete import delete, entry, purge_old, restore
from shared.store import paths
from shared.store.database import Database, Query
from shared.store.note_reading import NoteReading
from shared.store.notes import NotesWanted, body_fields
from shared.store.streams import Append
from shared.store.system import SystemStore
from shared.store.workspace import WorkspaceStore
from tests.contract.product.test_notes import LONG, change, make
from tests.support.seams import FakeClock


def types(store: WorkspaceStore, note_id: str) -> list[str]:
    return [event.type for event in store.streams.read(paths.note(note_id))]


def anew(store: WorkspaceStore, note: Note) -> None:
    """Another client writes a note of that id, straight into the database."""
    fields, parts = body_fields(note.id, LONG)
    store.notes.append(note.id, lambda *_: Append(note.model_dump() | fields, also=parts), point="test", create=True)


def test_a_deleted_note_is_gone_for_who_reads_notes(store: WorkspaceStore, clock: FakeClock) -> None:
    note = make(store, clock, title="Old plans", tags=["idea"]).note
    delete(store, note.id, by="me")
    assert store.notes.find(note.id) is None
    assert store.notes.list(NotesWanted(limit=10)).notes == ()
    with pytest.raises(NotFound):
        delete(store, note.id, by="me")
    (kept,), _ = store.trash.list(10)
    listed = entry(kept)
    assert (listed.id, listed.title, listed.tags) == (note.id, "Old plans", ("idea",))
    assert listed.kept_until - listed.deleted_at == timedelta(days=30)


def test_a_restored_note_is_as_it_was_with_its_whole_body_and_trace(store: WorkspaceStore, clock: FakeClock) -> None:
    note = make(store, clock, title="Plans", body=LONG, tags=["a", "b"]).note
    before = change(store, clock, note.id, title="Old plans")
    delete(store, note.id, by="me")
    after = restore(store, note.id, by="you")
    assert after.model_dump(exclude={"seq"}) == before.model_dump(exclude={"seq"})
    assert types(store, note.id) == ["note_changed", "note_deleted", "note_restored"]
    assert restore(store, note.id, by="you") == after
    assert store.trash.list(10) == ((), None)
    change(store, clock, note.id, title="Plans again")
    assert types(store, note.id)[-1] == "note_changed"


def test_what_was_never_deleted_or_is_there_anew_cannot_be_restored(store: WorkspaceStore, clock: FakeClock) -> None:
    with pytest.raises(NotFound):
        restore(store, "absent", by="me")
    note = make(store, clock, title="One").note
    delete(store, note.id, by="me")
    anew(store, note)
    with pytest.raises(Conflict):
        restore(store, note.id, by="me")


def test_purging_takes_parts_and_events_along(store: WorkspaceStore, clock: FakeClock, database: Database) -> None:
    note = make(store, clock, body=LONG).note
    delete(store, note.id, by="me")
    store.trash.purge(note.id)
    for collection in ("parts", "events"):
        assert database.query(f"notes/{note.id}/{collection}", Query(10)) == []
    with pytest.raises(NotFound):
        restore(store, note.id, by="me")
    with pytest.raises(NotFound):
        store.trash.purge(note.id)


def test_purging_spares_a_newer_note_of_the_same_id(store: WorkspaceStore, clock: FakeClock) -> None:
    note = make(store, clock, body=LONG).note
    delete(store, note.id, by="me")
    anew(store, note)
    store.trash.purge(note.id)
    assert store.notes.get(note.id).body == LONG


def test_a_note_that_came_back_while_it_was_purged_stays(
    store: WorkspaceStore, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = make(store, clock, body=LONG).note
    delete(store, note.id, by="me")
    looked, outcomes = store.notes.find, []

    def find_and_be_overtaken(note_id: str) -> NoteReading | None:
        found = looked(note_id)
        try:
            outcomes.append(store.trash.take_out(note_id, "you"))
        except NotFound as error:
            outcomes.append(error)
        return found

    monkeypatch.setattr(store.notes, "find", find_and_be_overtaken)
    store.trash.purge(note.id)
    monkeypatch.undo()
    (outcome,) = outcomes
    assert isinstance(outcome, NotFound) == (store.notes.find(note.id) is None)


def test_the_sweep_purges_after_thirty_days_and_not_before(
    store: WorkspaceStore, clock: FakeClock, system: SystemStore
) -> None:
    note = make(store, clock, title="Old").note
    delete(store, note.id, by="me")
    clock.advance((TRASH_KEPT - timedelta(seconds=5)).total_seconds())
    purge_old(lambda _: store, system, clock)
    assert store.trash.find(note.id) is not None
    clock.advance(10)
    purge_old(lambda _: store, system, clock)
    assert store.trash.find(note.id) is None


def test_what_was_deleted_last_comes_first_in_pages(store: WorkspaceStore, clock: FakeClock) -> None:
    notes = [make(store, clock, title=str(n)).note for n in range(3)]
    for note in notes:
        clock.advance(1)
        delete(store, note.id, by="me")
    page, cursor = store.trash.list(2)
    rest, end = store.trash.list(2, cursor)
    assert [one.id for one in (*page, *rest)] == [note.id for note in reversed(notes)] and end is None
