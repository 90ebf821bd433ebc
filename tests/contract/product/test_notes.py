"""Notes: made once, changed with a trace, read whole, listed in order, deleted with all that hangs below."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from google.cloud.firestore_v1 import Client

from shared.contracts.limits import NOTE_BODY_BYTES, TAGS_PER_NOTE
from shared.contracts.notes import Note, NoteCreate, NotePatch
from shared.contracts.operations import ResearchClaim
from shared.errors import InputError, NotFound, Unprocessable
from shared.notes.create import Created, create
from shared.notes.delete import delete
from shared.notes.patch import patch
from shared.store import notes as notes_store
from shared.store import paths
from shared.store.database import Database, Query
from shared.store.notes import NotesWanted
from shared.store.workspace import WorkspaceStore
from shared.store.writes import create as create_write
from tests.support.seams import CountingIds, FakeClock

LONG = "é漢🧠x" * 100_000


def make(store: WorkspaceStore, clock: FakeClock, *, key: str | None = None, **fields: Any) -> Created:
    clock.advance(1)
    ids = CountingIds(f"n{int(clock.now().timestamp())}")
    return create(store, NoteCreate(**fields), clock=clock, ids=ids, key=key)


def change(store: WorkspaceStore, clock: FakeClock, note_id: str, **fields: Any) -> Note:
    clock.advance(1)
    return patch(store, note_id, NotePatch(**fields), clock=clock, by="me")


def events(store: WorkspaceStore, note_id: str) -> list[dict[str, Any]]:
    return [event.data for event in store.streams.read(paths.note(note_id))]


@pytest.mark.parametrize("body", ["", "short", LONG])
def test_a_note_is_read_as_it_was_written(store: WorkspaceStore, clock: FakeClock, body: str) -> None:
    made = make(store, clock, title="t", body=body, tags=["b", "a", "b"])
    assert made.created and made.note == store.notes.get(made.note.id)
    assert made.note.body == body and made.note.tags == ("b", "a") and made.note.body_bytes == len(body.encode())


def test_a_body_with_too_many_bytes_is_refused(store: WorkspaceStore, clock: FakeClock) -> None:
    with pytest.raises(InputError) as caught:
        make(store, clock, body="漢" * (NOTE_BODY_BYTES // 2))
    assert caught.value.details["field"] == "body"


def test_the_same_key_is_the_same_note(store: WorkspaceStore, clock: FakeClock) -> None:
    first, second = (make(store, clock, key="k", title="t", body=LONG) for _ in range(2))
    assert (first.created, second.created) == (True, False) and second.note == first.note
    assert make(store, clock, key="other", title="t").note.id != first.note.id


def test_the_same_key_with_another_body_is_refused(store: WorkspaceStore, clock: FakeClock) -> None:
    made = make(store, clock, key="k", title="t")
    with pytest.raises(Unprocessable):
        make(store, clock, key="k", title="u")
    change(store, clock, made.note.id, title="changed")
    assert make(store, clock, key="k", title="t").note.title == "changed"


def test_three_at_once_with_one_key_make_one_note(store: WorkspaceStore) -> None:
    def post(_: int) -> Created:
        return create(store, NoteCreate(title="t"), clock=FakeClock(), ids=CountingIds(), key="k")

    with ThreadPoolExecutor(3) as pool:
        made = list(pool.map(post, range(3)))
    assert sum(each.created for each in made) == 1 and len({each.note.id for each in made}) == 1


def test_a_change_says_who_changed_what(store: WorkspaceStore, clock: FakeClock) -> None:
    note = make(store, clock, title="old", body="1234", tags=["a"]).note
    changed = change(store, clock, note.id, title="new", body=LONG, tags=["b"])
    assert (changed.title, changed.body, changed.tags) == ("new", LONG, ("b",)) and changed.updated_at > note.updated_at
    assert events(store, note.id) == [
        {
            "by": "me",
            "changed": {
                "title": {"from": "old", "to": "new"},
                "tags": {"from": ["a"], "to": ["b"]},
                "body": {"from_bytes": 4, "to_bytes": len(LONG.encode())},
            },
        }
    ]


def test_tags_added_and_removed_by_several_at_once_are_all_there(store: WorkspaceStore) -> None:
    clocks = [FakeClock() for _ in range(4)]
    note = make(store, clocks[0], body="x", tags=("old",)).note
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: change(store, clocks[n], note.id, add_tags=(f"t{n}",), remove_tags=("old",)), range(4)))
    assert set(store.notes.get(note.id).tags) == {"t0", "t1", "t2", "t3"}


def test_all_tags_and_single_tags_cannot_be_given_together() -> None:
    with pytest.raises(ValueError, match="add_tags"):
        NotePatch(tags=("a",), add_tags=("b",))


def test_added_tags_cannot_exceed_what_a_note_may_have(store: WorkspaceStore, clock: FakeClock) -> None:
    note = make(store, clock, body="x", tags=tuple(f"t{n}" for n in range(TAGS_PER_NOTE))).note
    with pytest.raises(InputError, match="add_tags"):
        change(store, clock, note.id, add_tags=("one-more",))


def test_a_change_of_nothing_writes_nothing(store: WorkspaceStore, clock: FakeClock) -> None:
    note = make(store, clock, title="t", body=LONG, tags=["a"]).note
    assert change(store, clock, note.id, title="t", body=LONG, tags=["a", "a"]) == note
    assert change(store, clock, note.id) == note and events(store, note.id) == []


def test_a_body_of_the_same_size_is_a_change(store: WorkspaceStore, clock: FakeClock) -> None:
    note = make(store, clock, body=LONG).note
    other = LONG[:-1] + "y"
    assert change(store, clock, note.id, body=other).body == other and len(events(store, note.id)) == 1


def test_a_shorter_body_leaves_no_parts(store: WorkspaceStore, clock: FakeClock, database: Database) -> None:
    note = make(store, clock, body=LONG).note
    assert note.parts == 2
    assert change(store, clock, note.id, body="short").parts == 0
    assert database.query(f"notes/{note.id}/parts", Query(10)) == []


def test_a_missing_note_cannot_be_changed_read_or_deleted(store: WorkspaceStore, clock: FakeClock) -> None:
    for attempt in (
        lambda: change(store, clock, "absent", title="t"),
        lambda: store.notes.get("absent"),
        lambda: delete(store, "absent", by="me"),
    ):
        with pytest.raises(NotFound):
            attempt()


def test_taking_research_off_is_noted_in_the_claim(store: WorkspaceStore, clock: FakeClock, database: Database) -> None:
    note = make(store, clock, tags=["research", "a"]).note
    change(store, clock, note.id, tags=["research"])
    tagged_at = database.get(paths.note(note.id)).update_time
    assert tagged_at is not None
    store.claims.save(store.claims.read(note.id), ResearchClaim(operation_id="op", tagged_at=tagged_at), point="test")
    change(store, clock, note.id, title="still tagged")
    assert store.claims.read(note.id).claim.untagged_at is None
    change(store, clock, note.id, tags=[])
    untagged = database.get(paths.note(note.id)).update_time
    claim = store.claims.read(note.id).claim
    assert claim.operation_id == "op" and claim.untagged_at is not None and untagged is not None
    assert tagged_at < claim.untagged_at <= untagged


def test_taking_research_off_without_a_claim_makes_none(store: WorkspaceStore, clock: FakeClock) -> None:
    note = make(store, clock, tags=["research"]).note
    change(store, clock, note.id, tags=[])
    assert store.claims.read(note.id).update_time is None


def test_deleting_takes_parts_and_events_along(
    store: WorkspaceStore, clock: FakeClock, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notes_store, "_DELETE_PAGE", 2)
    note = make(store, clock, body=LONG).note
    for n in range(5):
        change(store, clock, note.id, title=str(n))
    store.notes.delete(note.id, point="test")
    assert store.notes.find(note.id) is None
    for collection in ("parts", "events"):
        assert database.query(f"notes/{note.id}/{collection}", Query(10)) == []
    store.notes.delete(note.id, point="test")


def test_pages_are_newest_first_and_complete(store: WorkspaceStore, clock: FakeClock) -> None:
    made = [make(store, clock, title=str(n)).note.id for n in range(7)]
    seen, cursor = [], None
    while True:
        page = store.notes.list(NotesWanted(limit=3, cursor=cursor))
        seen.extend(note.id for note in page.notes)
        cursor = page.next_cursor
        if cursor is None:
            break
    assert seen == made[::-1]


def test_notes_of_the_same_moment_are_each_in_one_page(store: WorkspaceStore, clock: FakeClock) -> None:
    for n in range(5):
        create(store, NoteCreate(title=str(n)), clock=clock, ids=CountingIds(f"x{n}"), key=None)
    seen, cursor = [], None
    for _ in range(5):
        page = store.notes.list(NotesWanted(limit=1, cursor=cursor))
        seen.extend(note.id for note in page.notes)
        cursor = page.next_cursor
    assert len(set(seen)) == 5 and cursor is None


def test_lists_by_kind_and_tag(store: WorkspaceStore, clock: FakeClock, database: Database) -> None:
    make(store, clock, title="a", tags=["x"])
    make(store, clock, title="b", tags=["y"])
    report = Note(id="r", kind="research", title="r", tags=("x",), created_at=clock.now(), updated_at=clock.now())
    database.commit(notes_store.creating(report), "test")

    def titles(**wanted: Any) -> set[str]:
        return {note.title for note in store.notes.list(NotesWanted(limit=9, **wanted)).notes}

    assert titles(tag="x") == {"a", "r"} and titles(kind="capture") == {"a", "b"}
    assert titles(kind="research", tag="x") == {"r"} and titles(kind="digest") == set()


def test_a_search_finds_titles_and_bodies_whatever_the_case(store: WorkspaceStore, clock: FakeClock) -> None:
    for title, body in (("Straße", ""), ("", "in der STRASSE"), ("other", "thing")):
        make(store, clock, title=title, body=body)
    assert len(store.notes.list(NotesWanted(limit=9, q="strasse")).notes) == 2


def test_a_search_looks_at_a_bounded_number_and_goes_on(
    store: WorkspaceStore, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notes_store, "SCAN_DOCUMENTS", 4)
    monkeypatch.setattr(notes_store, "_SCAN_PAGE", 2)
    for n in range(11):
        make(store, clock, title="needle" if n in (0, 5, 10) else "hay")
    found, cursor, pages = 0, None, 0
    while True:
        page = store.notes.list(NotesWanted(limit=1, q="needle", cursor=cursor))
        assert page.scanned <= 4
        found, pages, cursor = found + len(page.notes), pages + 1, page.next_cursor
        if cursor is None:
            break
    assert found == 3 and pages < 9


def test_what_a_plain_client_wrote_is_read_and_changed(
    store: WorkspaceStore, clock: FakeClock, firestore: Client, workspace: str
) -> None:
    reference = firestore.document(f"workspaces/{workspace}/notes/plain")
    reference.set({"title": 7, "body": "text", "tags": ["A"], "ref": reference, "parts": 10**9})
    note = store.notes.get("plain")
    assert (note.title, note.body, note.tags) == ("", "text", ("a",))
    assert store.notes.list(NotesWanted(limit=9)).notes == ()  # it has no created_at until something fills it in
    assert change(store, clock, "plain", title="better").title == "better"
    assert [one.id for one in store.notes.list(NotesWanted(limit=9)).notes] == ["plain"]


@pytest.mark.parametrize("created_at", [None, "2026-11-30T12:00:00Z", 1_764_500_000, datetime.max, b"x"])
@pytest.mark.parametrize("wanted", [{"title": "new"}, {}])
def test_a_change_fills_in_what_keeps_a_note_out_of_every_list(
    store: WorkspaceStore,
    clock: FakeClock,
    firestore: Client,
    workspace: str,
    created_at: Any,
    wanted: dict[str, Any],
) -> None:
    fields = {"body": "# A line\nand more", "stream_ended": True}
    fields |= {"created_at": created_at} if created_at else {}
    firestore.document(f"workspaces/{workspace}/notes/plain").set(fields)
    note = change(store, clock, "plain", **wanted)
    assert note.title == wanted.get("title", "A line")
    assert store.notes.list(NotesWanted(limit=9)).notes == (note,)
    assert change(store, clock, "plain", **wanted) == note


def test_a_created_at_of_another_type_does_not_break_the_pages(
    store: WorkspaceStore, clock: FakeClock, firestore: Client, workspace: str
) -> None:
    make(store, clock, title="good")
    firestore.document(f"workspaces/{workspace}/notes/odd").set({"title": "odd", "created_at": "yesterday"})
    assert [note.title for note in store.notes.list(NotesWanted(limit=9)).notes] == ["good"]


def test_workspaces_do_not_see_each_other(store: WorkspaceStore, clock: FakeClock, firestore: Client) -> None:
    note = make(store, clock, title="mine", tags=["t"]).note
    other = WorkspaceStore(firestore, f"{store.workspace}-other", clock, None, CountingIds())  # type: ignore[arg-type]
    assert other.notes.find(note.id) is None and other.notes.list(NotesWanted(limit=9, tag="t")).notes == ()
    with pytest.raises(InputError):
        WorkspaceStore(firestore, "a/notes/b", clock, None, CountingIds())  # type: ignore[arg-type]


def test_parts_are_read_as_of_one_moment_with_their_note(
    store: WorkspaceStore, clock: FakeClock, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = make(store, clock, body="a" * 700_000).note
    stale = database.get(paths.note(note.id))
    change(store, clock, note.id, body="b" * 1_300_000)
    monkeypatch.setattr(Database, "get", lambda _self, _path: stale)
    assert store.notes.get(note.id).body == "b" * 1_300_000


def test_the_end_of_time_is_far_enough(store: WorkspaceStore, database: Database) -> None:
    late = datetime(9998, 1, 1, tzinfo=timezone.utc) + timedelta(days=1)
    database.commit(
        [create_write("notes/late", Note(id="late", created_at=late, updated_at=late).model_dump())], "test"
    )
    assert [note.id for note in store.notes.list(NotesWanted(limit=9)).notes] == ["late"]
