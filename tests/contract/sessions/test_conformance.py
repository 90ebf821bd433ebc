"""One suite for every session store."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import Any

import pytest

from shared.contracts.sessions import CheckpointEnvelope
from shared.errors import InputError, NotFound
from shared.sessions.errors import (
    CheckpointTooLarge,
    InvalidCheckpoint,
    InvalidSessionId,
    OwnerChanged,
    StoreClosed,
    UnknownFormat,
    UnreadableCheckpoint,
    VersionConflict,
)
from shared.sessions.owned import OwnedSessions
from shared.sessions.store import Store
from tests.contract.sessions.world import START, MemoryWorld, StoreWorld, envelope

AWKWARD = (
    "a",
    "A",
    "01J9Z3K4M5N6P7Q8R9S0T1V2W3",
    "01j9z3k4m5n6p7q8r9s0t1v2w3",
    "chat_abc",
    "chat-abc",
    "chat.abc",
    "CHAT-abc",
    " ",
    "  ",
    "a b",
    "a/b",
    "a\\b",
    ".",
    "..",
    "__x__",
    "%2F",
    "a%2Fb",
    "a?b#c&d=e",
    "a:appendEvent",
    "-",
    "--",
    "0",
    "é",
    "e\u0301",
    "日本語",
    "😀",
    "ß",
    "SS",
    "\n",
    "'; DROP TABLE checkpoints; --",
    '"',
    "x" * 63,
    "x" * 64,
    "X" * 64,
    "x" * 400,
    "projects/p/locations/l",
)


def test_what_was_never_saved_hydrates_as_none(store: Store) -> None:
    assert store.hydrate("s1") is None and store.owner_of("s1") is None
    assert store.forget("s1") is False and store.list_by_user("demo").entries == ()


def test_what_is_saved_is_read_again_as_it_was(store: Store) -> None:
    data = {
        "text": "Crème brûlée 😀 \u2028 \x00 \\",
        "numbers": [0, -1, 2**53, 0.1, 1e300, True, None],
        "deep": {"a": [{"b": [[]]}, {}]},
        "": "an empty name",
        "k.with.dots/and`ticks": 1,
        "memex.envelope": "no key of the store",
    }
    saved = envelope(1, data=1).model_copy(update={"data": data})
    store.persist("s1", saved)
    assert store.hydrate("s1") == saved and store.owner_of("s1") == "demo"


def test_each_save_takes_the_place_of_the_one_before(store: Store, world: StoreWorld) -> None:
    for version in (1, 2, 3):
        store.persist("s1", envelope(version))
    assert store.hydrate("s1") == envelope(3)
    assert world.saves("s1") in (None, 3)


def test_the_same_save_again_changes_nothing(store: Store, world: StoreWorld) -> None:
    for saved in (envelope(1), envelope(2)):
        for _ in range(3):
            store.persist("s1", saved)
    assert store.hydrate("s1") == envelope(2) and world.saves("s1") in (None, 2)


def test_an_older_version_is_refused_and_nothing_is_lost(store: Store) -> None:
    store.persist("s1", envelope(1))
    store.persist("s1", envelope(2))
    for late in (envelope(1), envelope(2, other="writer"), envelope(1, other="writer")):
        with pytest.raises(VersionConflict, match="another writer"):
            store.persist("s1", late)
    assert store.hydrate("s1") == envelope(2)


def test_a_session_keeps_its_owner(store: Store) -> None:
    store.persist("s1", envelope(1, owner="demo"))
    for other in ("stranger", None):
        with pytest.raises(OwnerChanged):
            store.persist("s1", envelope(2, owner=other))
    store.persist("s2", envelope(1, owner=None))
    with pytest.raises(OwnerChanged):
        store.persist("s2", envelope(2, owner="demo"))
    assert store.owner_of("s1") == "demo" and store.owner_of("s2") is None


def test_a_forgotten_session_is_gone_and_may_begin_anew(store: Store) -> None:
    store.persist("s1", envelope(1, big="x" * 5_000))
    store.persist("s1", envelope(2))
    assert store.forget("s1") is True and store.hydrate("s1") is None
    assert store.forget("s1") is False and store.list_by_user("demo").entries == ()
    store.persist("s1", envelope(1, fresh=True))
    assert store.hydrate("s1") == envelope(1, fresh=True)


@pytest.mark.parametrize("session_id", ["", "x" * 401, "a\x00b", "\ud800"], ids=["empty", "long", "nul", "surrogate"])
def test_what_is_no_id_is_refused_by_every_call(store: Store, session_id: str) -> None:
    calls = (
        lambda: store.hydrate(session_id),
        lambda: store.persist(session_id, envelope()),
        lambda: store.forget(session_id),
        lambda: store.owner_of(session_id),
    )
    for call in calls:
        with pytest.raises(InvalidSessionId):
            call()


def test_no_two_ids_address_one_conversation(store: Store) -> None:
    for n, session_id in enumerate(AWKWARD):
        store.persist(session_id, envelope(1, n=n))
    for n, session_id in enumerate(AWKWARD):
        assert store.hydrate(session_id) == envelope(1, n=n), session_id
    listed, cursor = [], None
    while True:
        page = store.list_by_user("demo", limit=20, cursor=cursor)
        listed += [entry.session_id for entry in page.entries]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert sorted(listed) == sorted(AWKWARD), "a listing answers with the ids that the caller gave"
    assert store.forget("A") and store.hydrate("a") == envelope(1, n=0)


@pytest.mark.parametrize(
    "text",
    ['{"format":"memex.checkpoint/1","owner":"de', "", "null", "[]", '{"format":"memex.checkpoint/1"}'],
    ids=["truncated", "nothing", "null", "a list", "no version"],
)
def test_what_cannot_be_read_is_refused_by_name_and_never_taken_for_a_new_one(
    world: StoreWorld, store: Store, text: str
) -> None:
    store.persist("s1", envelope(1))
    world.damage(
        "s1", text if not (text.startswith('{"format') and world.__class__.__name__ == "FirestoreWorld") else "{"
    )
    with pytest.raises(UnreadableCheckpoint, match="s1"):
        store.hydrate("s1")
    with pytest.raises(UnreadableCheckpoint):
        store.owner_of("s1")
    assert store.forget("s1") is True and store.hydrate("s1") is None


def test_an_unknown_format_is_refused_by_name_and_not_written_over(world: StoreWorld, store: Store) -> None:
    store.persist("s1", envelope(1))
    later = '{"data":{},"format":"memex.checkpoint/7","owner":"demo","saved_at":"2026-11-30T12:00:00Z","version":1}'
    world.damage("s1", later)
    with pytest.raises(UnknownFormat, match="memex.checkpoint/7"):
        store.hydrate("s1")
    if not isinstance(world, MemoryWorld):
        with pytest.raises(UnknownFormat, match="memex.checkpoint/7"):
            store.persist("s1", envelope(2))
    with pytest.raises(InvalidCheckpoint, match="memex.checkpoint/7"):
        store.persist("s2", envelope(1).model_copy(update={"format": "memex.checkpoint/7"}))
    assert store.hydrate("s2") is None


@pytest.mark.parametrize(
    "data",
    [{"a": math.nan}, {"a": math.inf}, {"a": (1,)}, {1: "a"}, {"a": {1, 2}}, {"a": "\ud800"}, {"a": START}],
    ids=["nan", "inf", "tuple", "number as name", "set", "surrogate", "moment"],
)
def test_what_is_no_json_is_refused_before_it_is_stored(store: Store, data: Any) -> None:
    with pytest.raises(InvalidCheckpoint):
        store.persist("s1", envelope(1).model_copy(update={"data": data}))
    assert store.hydrate("s1") is None


def test_a_nesting_without_end_is_refused(store: Store) -> None:
    deep: list[Any] = []
    for _ in range(20_000):
        deep = [deep]
    with pytest.raises(InvalidCheckpoint):
        store.persist("s1", envelope(1).model_copy(update={"data": {"deep": deep}}))


def test_an_envelope_of_900_kb_is_kept(store: Store) -> None:
    large = envelope(1, one="é" * 300_000, two="x" * 290_000, **{f"k{n}": "y" * 100 for n in range(50)})
    store.persist("s1", large)
    assert store.hydrate("s1") == large
    larger = large.model_copy(update={"version": 2, "data": {**large.data, "two": "z" * 100}})
    store.persist("s1", larger)
    assert store.hydrate("s1") == larger


def test_an_envelope_of_3_mb_is_kept_or_refused_with_a_sentence(world: StoreWorld, store: Store) -> None:
    large = envelope(1, text="é" * 1_500_000)
    if world.chunks:
        store.persist("s1", large)
        assert store.hydrate("s1") == large and store.forget("s1") and store.hydrate("s1") is None
        return
    store.persist("s1", envelope(1))
    with pytest.raises(CheckpointTooLarge, match="1,000,000 at most: keep less in it, or choose a store"):
        store.persist("s1", large.model_copy(update={"version": 2}))
    assert store.hydrate("s1") == envelope(1)


def test_an_envelope_that_no_store_takes_is_refused(store: Store) -> None:
    with pytest.raises(CheckpointTooLarge):
        store.persist("s1", envelope(1, text="x" * 9_000_000))


def test_sessions_are_listed_by_owner_the_last_saved_first(store: Store) -> None:
    for n, (name, owner) in enumerate((("a", "demo"), ("b", "other"), ("c", "demo"), ("d", None), ("e", "demo")), 1):
        store.persist(name, envelope(n, owner=owner))
    store.persist("a", envelope(9))
    entries = store.list_by_user("demo").entries
    assert [entry.session_id for entry in entries] == ["a", "e", "c"]
    assert entries[0].version == 9 and entries[0].saved_at == START + timedelta(seconds=9)
    assert {entry.owner for entry in entries} == {"demo"}
    assert [entry.session_id for entry in store.list_by_user(None).entries] == ["d"]
    assert store.list_by_user('x" OR user_id="demo').entries == ()


def test_a_cursor_that_is_none_is_refused(store: Store) -> None:
    store.persist("a", envelope(1))
    for cursor in ("x", "W10=", "////"):
        with pytest.raises(InputError, match="cursor"):
            store.list_by_user("demo", cursor=cursor)
    for limit in (0, 101):
        with pytest.raises(InputError, match="limit"):
            store.list_by_user("demo", limit=limit)


def test_another_instance_sees_what_was_saved_and_goes_on(world: StoreWorld) -> None:
    one, other = world.open(), world.open()
    for version in range(1, 7):
        writer, reader = (one, other) if version % 2 else (other, one)
        writer.persist("s1", envelope(version))
        assert reader.hydrate("s1") == envelope(version)
    assert world.saves("s1") in (None, 6)


def test_a_restart_between_save_and_read_loses_nothing(world: StoreWorld) -> None:
    before = world.open()
    before.persist("s1", envelope(1))
    before.close()
    assert world.open().hydrate("s1") == (envelope(1) if world.durable else None)


def test_a_closed_store_refuses_every_call_by_name(store: Store) -> None:
    store.persist("s1", envelope(1))
    store.close()
    store.close()
    calls = (
        lambda: store.hydrate("s1"),
        lambda: store.persist("s1", envelope(2)),
        lambda: store.forget("s1"),
        lambda: store.owner_of("s1"),
        lambda: store.list_by_user("demo"),
        store.retention,
    )
    for call in calls:
        with pytest.raises(StoreClosed, match=store.kind.value):
            call()


def test_a_store_tells_what_it_is_and_who_expires(store: Store) -> None:
    retention = store.retention()
    assert store.where and store.about.endswith((".", "them.")) and retention.who and retention.how


def test_a_guessed_id_is_not_found(world: StoreWorld) -> None:
    store = world.open()
    mine, strangers = OwnedSessions(store, "demo"), OwnedSessions(store, "stranger")
    mine.persist("s1", envelope(1))
    nobodys = envelope(1, owner=None)
    store.persist("s2", nobodys)
    for name in ("s1", "s2", "s3"):
        with pytest.raises(NotFound):
            strangers.show(name)
    for name in ("s1", "s2"):
        with pytest.raises(NotFound):
            strangers.hydrate(name)
        with pytest.raises(NotFound):
            strangers.persist(name, envelope(2))
    with pytest.raises(NotFound):
        strangers.forget("s1")
    assert strangers.forget("s2") is False, "what is nobody's is no caller's to forget"
    assert strangers.hydrate("s3") is None and strangers.forget("s3") is False and strangers.list().entries == ()
    assert mine.show("s1") == envelope(1) and store.hydrate("s2") == nobodys


def test_a_guessed_id_of_a_damaged_session_is_not_found_either(world: StoreWorld) -> None:
    store = world.open()
    OwnedSessions(store, "demo").persist("s1", envelope(1))
    world.damage("s1", "{")
    strangers = OwnedSessions(store, "stranger")
    for call in (strangers.show, strangers.hydrate, strangers.forget):
        with pytest.raises(NotFound):
            call("s1")
    with pytest.raises(UnreadableCheckpoint):
        OwnedSessions(store, "demo").hydrate("s1")
    assert OwnedSessions(store, "demo").forget("s1") is True


def test_what_a_caller_saves_is_its_own(store: Store) -> None:
    OwnedSessions(store, "demo").persist("s1", envelope(1, owner="somebody else"))
    assert store.owner_of("s1") == "demo"


@pytest.mark.slow
def test_five_hundred_sessions_are_listed_once_each_page_by_page(store: Store) -> None:
    names = {f"s{n:03}" for n in range(500)}
    for n, name in enumerate(sorted(names), 1):
        store.persist(name, envelope(n))
        if n % 50 == 0:
            store.persist(f"other{n}", envelope(n, owner="other"))
    found: list[str] = []
    cursor, pages = None, 0
    while True:
        page = store.list_by_user("demo", limit=70, cursor=cursor)
        assert len(page.entries) <= 70
        found += [entry.session_id for entry in page.entries]
        cursor, pages = page.next_cursor, pages + 1
        if cursor is None:
            break
    assert found == sorted(names, reverse=True) and pages == 8


def test_an_envelope_has_no_field_that_it_does_not_know() -> None:
    with pytest.raises(ValueError, match="extra"):
        CheckpointEnvelope.model_validate(envelope(1).model_dump() | {"more": 1})
