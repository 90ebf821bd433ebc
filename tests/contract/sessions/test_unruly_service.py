"""The session service answering slowly, out of order, and with lost answers; and instances that write side by side."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from infra.local.aiplatform.connection import shut
from shared.clock import SystemClock
from shared.contracts.sessions import CheckpointEnvelope
from shared.errors import Transient
from shared.sessions.errors import VersionConflict
from shared.sessions.store import Store
from tests.contract.sessions.world import EngineServer, EngineWorld, SqliteWorld, StoreWorld, engine_server, envelope

T = TypeVar("T")
HELD_SECONDS = 0.03
FATES = ("prompt",) * 8 + ("held",) * 6 + ("lost before",) * 2 + ("lost after",) * 3 + ("busy", "busy after")
PATIENCE = 20


class Unruly:
    """In front of the service: an answer that is held goes out after that of a later request, or after a while."""

    def __init__(self, inner: Any, seed: int) -> None:
        self._inner, self._random = inner, random.Random(seed)
        self._turn = threading.Condition()
        self._arrived = 0

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        with self._turn:
            fate = self._random.choice(FATES)
            self._arrived += 1
            arrived = self._arrived
            self._turn.notify_all()
        if fate == "lost before":
            shut(environ)
            return _busy(start_response)
        if fate == "busy":
            return _busy(start_response)
        body = list(self._inner(environ, start_response if fate != "busy after" else _swallowed))
        if fate == "lost after":
            shut(environ)
        if fate == "held":
            with self._turn:
                self._turn.wait_for(lambda: self._arrived > arrived + 1, HELD_SECONDS)
        return _busy(start_response) if fate == "busy after" else body


def _swallowed(*_given: Any) -> None:
    """The answer's head is not sent."""


def _busy(start_response: Any) -> list[bytes]:
    start_response("503 Service Unavailable", [("Content-Type", "application/json")])
    return [b"{}"]


@pytest.fixture(params=[1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3, 4))])
def unruly(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EngineWorld]:
    with engine_server(tmp_path) as server:
        server.wrap(lambda app: Unruly(app, request.param))
        world = EngineWorld(server)
        yield world
        server.wrap(lambda _app: server.app)
        world.close()


def patiently(attempt: Callable[[], T]) -> T:
    """As a caller that tries again when the store says that it may help."""
    for _ in range(PATIENCE):
        try:
            return attempt()
        except Transient:
            continue
    raise AssertionError("the service is not that bad")


def test_each_save_is_applied_once_whatever_becomes_of_the_answers(unruly: EngineWorld) -> None:
    stores = [unruly.open(), unruly.open()]
    for version in range(1, 21):
        patiently(partial(stores[version % 2].persist, "s1", envelope(version)))
        assert patiently(partial(stores[0].hydrate, "s1")) == envelope(version)
    unruly.server.wrap(lambda _app: unruly.server.app)
    assert unruly.saves("s1") == 20


def test_sessions_side_by_side_do_not_meet(unruly: EngineWorld) -> None:
    def converse(name: str) -> CheckpointEnvelope | None:
        store = Store(unruly.shelf())
        for version in range(1, 6):
            patiently(partial(store.persist, name, envelope(version, name=name)))
        try:
            return patiently(partial(store.hydrate, name))
        finally:
            store.close()

    names = [f"S{n}" for n in range(4)]
    with ThreadPoolExecutor(len(names)) as pool:
        assert list(pool.map(converse, names)) == [envelope(5, name=name) for name in names]


def rounds(world: StoreWorld, who: str, count: int) -> list[CheckpointEnvelope]:
    """What a writer saved that reads, adds one and saves, again where another was faster."""
    store, saved = Store(world.shelf()), list[CheckpointEnvelope]()
    while len(saved) < count:
        found = patiently(partial(store.hydrate, "s1"))
        wanted = envelope(1 if found is None else found.version + 1, by=who)
        try:
            patiently(partial(store.persist, "s1", wanted))
        except VersionConflict:
            continue
        saved.append(wanted)
    store.close()
    return saved


def test_writers_at_once_lose_nothing_where_the_store_can_tell(tmp_path: Path) -> None:
    world = SqliteWorld(tmp_path)
    with ThreadPoolExecutor(4) as pool:
        saved = [one for each in pool.map(lambda n: rounds(world, f"w{n}", 10), range(4)) for one in each]
    assert sorted(one.version for one in saved) == list(range(1, 41))
    assert world.open().hydrate("s1") == max(saved, key=lambda one: one.version)
    world.close()


def test_writers_at_once_leave_one_of_the_states_that_were_saved(unruly: EngineWorld) -> None:
    """The service has no precondition on an append: of two that looked at the same moment, the later one stays."""
    with ThreadPoolExecutor(3) as pool:
        saved = [one for each in pool.map(lambda n: rounds(unruly, f"w{n}", 4), range(3)) for one in each]
    assert patiently(partial(unruly.open().hydrate, "s1")) in saved


def test_two_instances_that_create_at_once_make_one_session(engines: EngineServer) -> None:
    world = EngineWorld(engines, poll_seconds=0.01)
    together = threading.Barrier(2)

    def create(who: str) -> str:
        store = Store(world.shelf(clock=SystemClock()))
        together.wait(10)
        try:
            store.persist("s1", envelope(1, by=who))
        except VersionConflict:
            return ""
        finally:
            store.close()
        return who

    with ThreadPoolExecutor(2) as pool:
        (winner,) = filter(None, pool.map(create, ("a", "b")))
    assert world.open().hydrate("s1") == envelope(1, by=winner) and world.saves("s1") == 1
    world.close()
