"""Event streams: dense, in order, appended once whatever is lost on the way, and closed for good by their end."""

from __future__ import annotations

import random
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

import pytest
from google.cloud.firestore_v1 import Client

from shared.contracts.limits import EVENT_BYTES
from shared.errors import Conflict, NotFound, Transient
from shared.store import guards
from shared.store.database import Database
from shared.store.streams import APPEND_TRIES, Append, Appended, EventDraft, Streams
from shared.store.writes import Snapshot, create, update
from tests.contract.product.flaky import Fault, FlakyDatabase
from tests.support.seams import CountingIds, FakeClock

PARENT = "operations/op_1"


@pytest.fixture
def streams(database: Database, clock: FakeClock) -> Streams:
    return Streams(database, clock, CountingIds("steady"))


@pytest.fixture
def begun(streams: Streams) -> Streams:
    """With a parent that has event 1."""
    add(streams, "created", new=True)
    return streams


def add(streams: Streams, kind: str, *, new: bool = False, terminal: bool = False, **fields: object) -> Appended:
    appended = Append(fields, (EventDraft(kind, {"kind": kind}, terminal=terminal),))
    return streams.append(PARENT, lambda _: appended, point="test", create=new)


def kinds(streams: Streams) -> list[tuple[int, str]]:
    return [(event.seq, event.type) for event in streams.read(PARENT)]


def flaky(firestore: Client, workspace: str, plan: Iterable[Fault]) -> tuple[Streams, FlakyDatabase]:
    clock = FakeClock()
    database = FlakyDatabase(firestore, f"workspaces/{workspace}", clock, plan)
    return Streams(database, clock, CountingIds("flaky")), database


def test_events_are_numbered_from_one_without_a_gap(begun: Streams) -> None:
    two = Append({}, (EventDraft("a"), EventDraft("b")))
    appended = begun.append(PARENT, lambda _: two, point="test")
    assert [event.seq for event in appended.events] == [2, 3] and appended.fields["seq"] == 3
    assert kinds(begun) == [(1, "created"), (2, "a"), (3, "b")]
    assert begun.read(PARENT, after=2)[0].id == "op_1-3" and len(begun.read(PARENT, limit=2)) == 2


def test_four_writers_on_one_stream_stay_dense(firestore: Client, workspace: str, begun: Streams) -> None:
    def write(writer: int) -> None:
        clock = FakeClock()
        mine = Database(firestore, f"workspaces/{workspace}", clock, random.Random(writer))
        streams = Streams(mine, clock, CountingIds(f"writer-{writer}"))
        written = 0
        while written < 8:
            try:
                add(streams, f"from-{writer}")
                written += 1
            except Transient:  # a FakeClock does not wait, so a writer may be outrun twelve times
                continue

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    events = begun.read(PARENT)
    assert [event.seq for event in events] == list(range(1, 34))
    assert all(sum(event.type == f"from-{writer}" for event in events) == 8 for writer in range(4))


@pytest.mark.parametrize("plan", [["lost"], ["dropped"], ["aborted"], ["aborted", "dropped", "lost"], ["dropped"] * 5])
def test_whatever_is_lost_an_event_is_there_once(
    firestore: Client, workspace: str, begun: Streams, plan: list[Fault]
) -> None:
    streams, _ = flaky(firestore, workspace, plan)
    appended = add(streams, "once", n=1)
    assert appended.changed and [event.seq for event in appended.events] == [2] and appended.fields["n"] == 1
    assert kinds(begun) == [(1, "created"), (2, "once")]


def test_a_lost_answer_is_recognised_although_another_has_written_since(
    firestore: Client, workspace: str, begun: Streams
) -> None:
    streams, database = flaky(firestore, workspace, [lambda: add(begun, "other") and None])
    appended = add(streams, "mine")
    assert database.commits == 1 and [(event.seq, event.type) for event in appended.events] == [(2, "mine")]
    assert kinds(begun) == [(1, "created"), (2, "mine"), (3, "other")] and appended.fields["seq"] == 3


def test_a_lost_answer_without_events_is_recognised_by_the_parent(
    firestore: Client, workspace: str, begun: Streams
) -> None:
    streams, database = flaky(firestore, workspace, ["lost"])

    def count(current: Snapshot) -> Append:
        return Append({"count": (current.fields or {}).get("count", 0) + 1})

    assert streams.append(PARENT, count, point="test").fields["count"] == 1 and database.commits == 1


def test_a_lost_creation_is_recognised(firestore: Client, workspace: str) -> None:
    streams, database = flaky(firestore, workspace, ["lost"])
    assert add(streams, "created", new=True).changed and database.commits == 1
    assert kinds(streams) == [(1, "created")]


def test_a_terminal_event_whose_answer_was_lost_is_recognised(
    firestore: Client, workspace: str, begun: Streams
) -> None:
    streams, _ = flaky(firestore, workspace, ["lost"])
    assert add(streams, "completed", terminal=True, status="completed").fields["status"] == "completed"
    assert kinds(begun)[-1] == (2, "completed")


def test_the_other_is_seen_when_deciding_again(firestore: Client, workspace: str, begun: Streams) -> None:
    streams, _ = flaky(firestore, workspace, ["aborted"])
    seen = []

    def decide(current: Snapshot) -> Append | None:
        seen.append((current.fields or {})["seq"])
        if len(seen) == 1:
            add(begun, "other")
            return Append({}, (EventDraft("mine"),))
        return None

    assert not streams.append(PARENT, decide, point="test").changed
    assert seen == [1, 2]


def test_it_gives_up_after_so_many_tries(firestore: Client, workspace: str, begun: Streams) -> None:
    streams, database = flaky(firestore, workspace, ["aborted"] * 100)
    with pytest.raises(Transient):
        add(streams, "never")
    assert database.commits == APPEND_TRIES and kinds(begun) == [(1, "created")]


def test_nothing_comes_after_the_terminal_event(begun: Streams) -> None:
    add(begun, "completed", terminal=True, status="completed")
    with pytest.raises(guards.StreamEnded):
        add(begun, "late")
    assert kinds(begun) == [(1, "created"), (2, "completed")] and begun.head(PARENT) == (2, True)


def test_fields_may_still_change_after_the_terminal_event(begun: Streams) -> None:
    add(begun, "cancelled", terminal=True, status="cancelled", cancel_pending=True)
    change = Append({"cancel_pending": False})
    assert begun.append(PARENT, lambda _: change, point="test").fields["cancel_pending"] is False


def test_a_writer_whose_fence_is_old_is_refused(begun: Streams) -> None:
    add(begun, "taken_over", fence=2)

    def decide(current: Snapshot) -> Append:
        guards.fenced(current.fields or {}, 1)
        return Append({}, (EventDraft("late"),))

    with pytest.raises(guards.FenceLost):
        begun.append(PARENT, decide, point="test")
    assert len(kinds(begun)) == 2


def test_a_cancel_between_reading_and_writing_wins(begun: Streams, streams: Streams) -> None:
    cancelled = []

    def complete(current: Snapshot) -> Append:
        guards.running(current.fields or {})
        if not cancelled:
            cancelled.append(add(streams, "cancelled", terminal=True, status="cancelled"))
        return Append({"status": "completed"}, (EventDraft("completed", terminal=True),))

    with pytest.raises(guards.Cancelled):
        begun.append(PARENT, complete, point="test")
    assert kinds(begun) == [(1, "created"), (2, "cancelled")]


def test_other_documents_are_written_in_the_same_commit_or_not_at_all(begun: Streams, database: Database) -> None:
    both = Append({}, (EventDraft("done"),), also=(create("notes/report", {"a": 1}), update("notes/absent", {"b": 1})))
    with pytest.raises(Transient):
        begun.append(PARENT, lambda _: both, point="test")
    assert database.get("notes/report").fields is None and kinds(begun) == [(1, "created")]
    begun.append(PARENT, lambda _: Append({}, (EventDraft("done"),), both.also[:1]), point="test")
    assert database.get("notes/report").fields == {"a": 1}


def test_a_missing_parent_is_only_made_when_asked(streams: Streams) -> None:
    with pytest.raises(NotFound):
        add(streams, "created")
    with pytest.raises(NotFound):
        streams.head(PARENT)
    assert add(streams, "created", new=True).changed


def test_a_parent_that_was_replaced_by_hand_goes_on_where_its_events_end(
    begun: Streams, firestore: Client, workspace: str
) -> None:
    add(begun, "second")
    firestore.document(f"workspaces/{workspace}/{PARENT}").set({"title": "replaced"})
    assert add(begun, "third").events[0].seq == 3
    assert begun.head(PARENT) == (3, False) and [seq for seq, _ in kinds(begun)] == [1, 2, 3]


def test_an_event_that_is_too_large_is_cut_and_stored(begun: Streams) -> None:
    begun.append(PARENT, lambda _: Append({}, (EventDraft("big", {"text": "漢" * 500_000}),)), point="test")
    event = begun.read(PARENT, after=1)[0]
    assert len(event.model_dump_json().encode()) < EVENT_BYTES and "bytes cut" in event.data["text"]


def test_a_malformed_event_document_is_left_out(begun: Streams, firestore: Client, workspace: str) -> None:
    firestore.document(f"workspaces/{workspace}/{PARENT}/events/x").set({"seq": 2})
    assert kinds(begun) == [(1, "created")]


def test_all_events_come_in_order_across_pages(begun: Streams, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.store.stream_reading._PAGE", 2)
    begun.append(PARENT, lambda _: Append({}, tuple(EventDraft("more") for _ in range(4))), point="test")
    assert [event.seq for event in begun.all(PARENT)] == [1, 2, 3, 4, 5]
    assert [event.seq for event in begun.all(PARENT, after=3)] == [4, 5]


def test_what_decide_raises_ends_the_append(begun: Streams) -> None:
    def refuse(_: Snapshot) -> Append:
        raise Conflict("no")

    with pytest.raises(Conflict):
        begun.append(PARENT, refuse, point="test")
