"""One suite, several servers: the local cloud always, Google's emulator when its address is given.

FIRESTORE_CONTRACT_EMULATOR=127.0.0.1:8080 pytest tests/contract/firestore
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable, Iterator

import pytest
from google.cloud import firestore

from tests.contract.differences import BY_TEST
from tests.contract.servers import Server, local_firestore

EMULATOR = os.environ.get("FIRESTORE_CONTRACT_EMULATOR", "")
Declare = Callable[..., None]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Expect failure where the emulator is known to differ from production."""
    for item in items:
        listed = BY_TEST.get(getattr(item, "originalname", ""))
        if listed is not None and "emulator" in item.name:
            item.add_marker(pytest.mark.xfail(reason=f"{listed.id}: it {listed.emulator}"))


@pytest.fixture(scope="session")
def local_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with local_firestore(tmp_path_factory.mktemp("firestore")) as server:
        yield server


@pytest.fixture(params=["local", *(["emulator"] if EMULATOR else [])])
def firestore_server(request: pytest.FixtureRequest) -> Server:
    if request.param == "emulator":
        return Server(EMULATOR, None)
    server: Server = request.getfixturevalue("local_server")
    return server


_projects = itertools.count(1)


@pytest.fixture
def project(firestore_server: Server, monkeypatch: pytest.MonkeyPatch) -> str:
    """A project that no other test uses; clients made in the test reach the server."""
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", firestore_server.address)
    return f"contract-{os.getpid()}-{next(_projects)}"


@pytest.fixture
def firestore_client(project: str) -> Iterator[firestore.Client]:
    client = firestore.Client(project=project)
    yield client
    client.close()


@pytest.fixture
def declare(firestore_server: Server) -> Iterator[Declare]:
    """`declare("group", "a", "-b", "tags[]", scope=...)` declares a composite index for the test."""
    declared: list[dict[str, object]] = []

    def write() -> None:
        if firestore_server.indexes is not None:
            firestore_server.indexes.write_text(json.dumps({"indexes": declared, "fieldOverrides": []}))

    def add(group: str, *fields: str, scope: str = "COLLECTION") -> None:
        declared.append({"collectionGroup": group, "queryScope": scope, "fields": [_field(field) for field in fields]})
        write()

    yield add
    declared.clear()
    write()


def _field(text: str) -> dict[str, str]:
    if text.endswith("[]"):
        return {"fieldPath": text[:-2], "arrayConfig": "CONTAINS"}
    return {"fieldPath": text.lstrip("-"), "order": "DESCENDING" if text.startswith("-") else "ASCENDING"}
