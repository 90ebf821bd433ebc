from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from google.cloud.firestore_v1 import Client

from tests.support.cloud import local_firestore
from tests.unit.research.world import MakeWorld, MovableClock, World

_workspaces = itertools.count(1)


@pytest.fixture(scope="session")
def clock() -> Iterator[MovableClock]:
    clock = MovableClock()
    yield clock
    clock.close()


@pytest.fixture(scope="session")
def firestore(tmp_path_factory: pytest.TempPathFactory, clock: MovableClock) -> Iterator[Client]:
    with local_firestore(tmp_path_factory.mktemp("firestore"), clock) as client:
        yield client


@pytest.fixture
def make_world(firestore: Client, clock: MovableClock) -> MakeWorld:
    def make(**settings: object) -> World:
        return World(firestore, clock, f"research{next(_workspaces)}", **settings)

    return make


@pytest.fixture
def world(make_world: MakeWorld) -> World:
    return make_world()
