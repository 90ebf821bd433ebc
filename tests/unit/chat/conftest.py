from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from google.cloud.firestore_v1 import Client

from tests.support.stores import firestore  # noqa: F401
from tests.unit.chat.world import MakeWorld, World

_workspaces = itertools.count(1)


@pytest.fixture
def make_world(firestore: Client) -> Iterator[MakeWorld]:  # noqa: F811 - the fixture itself
    """Worlds whose scripts must be used up by the end of the test."""
    worlds: list[World] = []

    def make(*lines: object, **settings: object) -> World:
        worlds.append(World(firestore, f"chat{next(_workspaces)}", *lines, **settings))
        return worlds[-1]

    yield make
    for world in worlds:
        world.model.check()
