"""Fixtures: one Firestore for a module's tests, and a workspace of its own for each."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Iterator

import pytest
from google.cloud.firestore_v1 import Client

from shared.store.database import Database
from shared.store.system import SystemStore
from shared.store.workspace import WorkspaceStore
from tests.contract.product.flaky import Fault, FlakyDatabase
from tests.support.cloud import local_firestore
from tests.support.seams import CountingIds, FakeClock

_workspaces = itertools.count(1)
Flaky = Callable[[WorkspaceStore, Iterable[Fault]], WorkspaceStore]


@pytest.fixture(scope="package")
def firestore(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with local_firestore(tmp_path_factory.mktemp("firestore")) as client:
        yield client


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def store(firestore: Client, clock: FakeClock) -> WorkspaceStore:
    return WorkspaceStore(firestore, f"w{next(_workspaces)}", clock, random.Random(1), CountingIds())


@pytest.fixture
def workspace(store: WorkspaceStore) -> str:
    """The name of the store's workspace."""
    return store.workspace


@pytest.fixture
def database(firestore: Client, workspace: str, clock: FakeClock) -> Database:
    return Database(firestore, f"workspaces/{workspace}", clock, random.Random(2))


@pytest.fixture
def system(firestore: Client, clock: FakeClock) -> SystemStore:
    return SystemStore(firestore, clock, random.Random(3))


@pytest.fixture
def flaky(firestore: Client, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> Flaky:
    """The same workspace through a database whose commits go wrong as the plan says."""

    def make(store: WorkspaceStore, plan: Iterable[Fault]) -> WorkspaceStore:
        broken = FlakyDatabase(firestore, f"workspaces/{store.workspace}", clock, plan)
        with monkeypatch.context() as patched:
            patched.setattr("shared.store.workspace.Database", lambda *_: broken)
            return WorkspaceStore(firestore, store.workspace, clock, random.Random(1), CountingIds("flaky"))

    return make
