"""One Firestore for all tests here, and a workspace of its own for each."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import pytest
from google.cloud.firestore_v1 import Client

from shared.store.database import Database
from shared.store.system import SystemStore
from shared.store.workspace import WorkspaceStore
from tests.support.cloud import local_firestore
from tests.support.seams import CountingIds, FakeClock

_workspaces = itertools.count(1)


@pytest.fixture(scope="session")
def firestore(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with local_firestore(tmp_path_factory.mktemp("firestore")) as client:
        yield client


@pytest.fixture
def workspace() -> str:
    return f"w{next(_workspaces)}"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def store(firestore: Client, workspace: str, clock: FakeClock) -> WorkspaceStore:
    return WorkspaceStore(firestore, workspace, clock, random.Random(1), CountingIds())


@pytest.fixture
def database(firestore: Client, workspace: str, clock: FakeClock) -> Database:
    return Database(firestore, f"workspaces/{workspace}", clock, random.Random(2))


@pytest.fixture
def system(firestore: Client, clock: FakeClock) -> SystemStore:
    return SystemStore(firestore, clock, random.Random(3))
