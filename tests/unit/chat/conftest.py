from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from google.cloud.firestore_v1 import Client

from tests.support.cloud import local_firestore
from tests.unit.chat.world import MakeWorld, World

_workspaces = itertools.count(1)


@pytest.fixture(scope="session")
def firestore(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with local_firestore(tmp_path_factory.mktemp("firestore")) as client:
        yield client


@pytest.fixture
def make_world(firestore: Client) -> Iterator[MakeWorld]:
    """Worlds whose scripts must be used up by the end of the test."""
    worlds: list[World] = []

    def make(*lines: object, **settings: object) -> World:
        worlds.append(World(firestore, f"chat{next(_workspaces)}", *lines, **settings))
        return worlds[-1]

    yield make
    for world in worlds:
        world.model.check()
