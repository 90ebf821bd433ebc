from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from google.cloud.firestore_v1 import Client

from shared.sessions.store import Store
from tests.contract.sessions.world import (
    EngineServer,
    EngineWorld,
    FirestoreWorld,
    MemoryWorld,
    SqliteWorld,
    StoreWorld,
    engine_server,
)
from tests.support.stores import firestore  # noqa: F401

KINDS = ("memory", "sqlite", "firestore", "agent-engine")


@pytest.fixture(scope="package")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EngineServer]:
    with engine_server(tmp_path_factory.mktemp("engines")) as server:
        yield server


@pytest.fixture(params=KINDS)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[StoreWorld]:
    kind = request.param
    made: StoreWorld
    if kind == "firestore":
        client: Client = request.getfixturevalue("firestore")
        made = FirestoreWorld(client)
    elif kind == "agent-engine":
        made = EngineWorld(request.getfixturevalue("engines"))
    else:
        made = MemoryWorld() if kind == "memory" else SqliteWorld(tmp_path)
    yield made
    made.close()


@pytest.fixture
def store(world: StoreWorld) -> Store:
    return world.open()
