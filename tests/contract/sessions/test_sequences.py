"""Whatever is done in whatever order, every store does what a plain dict does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shared.contracts.sessions import CheckpointEnvelope
from shared.sessions.errors import OwnerChanged, VersionConflict
from shared.sessions.store import Store
from tests.contract.sessions.world import StoreWorld, envelope

IDS = ("s1", "S1", "a/b", "a-b")
OWNERS = ("demo", "other", None)
Step = tuple[Any, ...]

steps = st.one_of(
    st.tuples(st.just("persist"), st.sampled_from(IDS), st.integers(1, 5), st.sampled_from(OWNERS), st.integers(0, 1)),
    st.tuples(st.sampled_from(("hydrate", "owner_of", "forget")), st.sampled_from(IDS)),
    st.tuples(st.just("list"), st.sampled_from(OWNERS), st.integers(1, 3)),
    st.tuples(st.just("reopen")),
)


class Model:
    """What the port promises, in a dict."""

    def __init__(self) -> None:
        self.kept: dict[str, CheckpointEnvelope] = {}

    def persist(self, name: str, wanted: CheckpointEnvelope) -> str:
        kept = self.kept.get(name)
        if kept is not None and kept != wanted:
            if kept.owner != wanted.owner:
                return "owner"
            if kept.version >= wanted.version:
                return "conflict"
        self.kept[name] = wanted
        return "saved"


def listed(store: Store, owner: str | None, limit: int) -> list[str]:
    found: list[str] = []
    cursor = None
    while True:
        page = store.list_by_user(owner, limit=limit, cursor=cursor)
        found += [one.session_id for one in page.entries]
        cursor = page.next_cursor
        if cursor is None:
            return found


def persisted(store: Store, name: str, wanted: CheckpointEnvelope) -> str:
    try:
        store.persist(name, wanted)
    except VersionConflict:
        return "conflict"
    except OwnerChanged:
        return "owner"
    return "saved"


def agree(open_store: Callable[[], Store], sequence: list[Step], prefix: str) -> None:
    store, model = open_store(), Model()
    names = {name: f"{prefix}{name}" for name in IDS}
    owners = {owner: None if owner is None else f"{prefix}{owner}" for owner in OWNERS}
    for step in sequence:
        match step:
            case ("persist", name, version, owner, payload):
                wanted = envelope(version, owner=owners[owner], payload=payload, text="x" * 3_000 * payload)
                assert persisted(store, names[name], wanted) == model.persist(names[name], wanted)
            case ("hydrate", name):
                assert store.hydrate(names[name]) == model.kept.get(names[name])
            case ("owner_of", name):
                kept = model.kept.get(names[name])
                assert store.owner_of(names[name]) == (kept.owner if kept else None)
            case ("forget", name):
                assert store.forget(names[name]) == (model.kept.pop(names[name], None) is not None)
            case ("list", owner, limit) if owner is not None:
                mine = [name for name, one in model.kept.items() if one.owner == owners[owner]]
                assert sorted(listed(store, owners[owner], limit)) == sorted(mine)
            case ("reopen",):
                store = open_store()
    for name in names.values():
        assert store.hydrate(name) == model.kept.get(name)
        store.forget(name)


class Prefixes:
    """Each example has names of its own on the data that all share."""

    count = 0

    @classmethod
    def next(cls) -> str:
        cls.count += 1
        return f"x{cls.count}-"


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sequence=st.lists(steps, max_size=12))
def test_every_store_does_what_a_dict_does(world: StoreWorld, sequence: list[Step]) -> None:
    agree(world.open, sequence, Prefixes.next())


@pytest.mark.slow
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sequence=st.lists(steps, max_size=30))
def test_every_store_does_what_a_dict_does_at_length(world: StoreWorld, sequence: list[Step]) -> None:
    agree(world.open, sequence, Prefixes.next())
