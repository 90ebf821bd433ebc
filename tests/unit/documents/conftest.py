from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from google.cloud.firestore_v1 import Client

from shared.gateway.objects import Objects, connect
from tests.support.cloud import local_firestore
from tests.unit.documents.shelf import Shelf
from tests.unit.research.world import MovableClock, World

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
def objects() -> Objects:
    return connect("memory:///", {})


@pytest.fixture
def shelf(firestore: Client, clock: MovableClock, objects: Objects) -> Shelf:
    return Shelf(World(firestore, clock, f"documents{next(_workspaces)}"), objects)
