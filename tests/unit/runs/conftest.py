from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from google.cloud.firestore_v1 import Client

from tests.support.cloud import local_firestore
from tests.unit.runs.world import MakeWorld, World

_workspaces = itertools.count(1)


@pytest.fixture(scope="session")
def firestore(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with local_firestore(tmp_path_factory.mktemp("firestore")) as client:
        yield client


@pytest.fixture
def make_world(firestore: Client) -> MakeWorld:
    def make(**settings: object) -> World:
        return World(firestore, f"runs{next(_workspaces)}", **settings)

    return make
