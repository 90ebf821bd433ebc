"""One suite, several servers: the local cloud always, Google's emulator when its address is given.

FIRESTORE_CONTRACT_EMULATOR=127.0.0.1:8080 pytest tests/contract/firestore
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest
from google.cloud import firestore

from infra.local.clock import RealClock
from infra.local.firestore.service import FirestorePart
from infra.local.meter import Meter

EMULATOR = os.environ.get("FIRESTORE_CONTRACT_EMULATOR", "")
Declare = Callable[..., None]
EMULATOR_DIFFERS = {
    "test_concurrent_transactions": "the emulator locks, and gives up on contention that production serializes",
    "test_increments_of_many_threads_are_all_counted": "the emulator locks, and gives up on contention",
    "test_workers_that_claim_jobs_by_a_query_share_none": "the emulator locks, and gives up on contention",
    "test_a_resumed_target_is_told_only_what_it_missed": "the emulator sends everything again on a resume",
    "test_a_target_that_cannot_be_served_is_removed_with_its_cause": "the emulator ends the stream with UNKNOWN",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Expect failure where the emulator is known to differ from production."""
    for item in items:
        reason = EMULATOR_DIFFERS.get(getattr(item, "originalname", ""))
        if reason is not None and "emulator" in item.name:
            item.add_marker(pytest.mark.xfail(reason=reason))


@dataclass(frozen=True)
class Server:
    """Where the service listens; `indexes` is None for a server that enforces none."""

    address: str
    indexes: Path | None


@pytest.fixture(scope="session")
def local_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("firestore")
    clock = RealClock()
    part = FirestorePart(folder, clock, Meter(), folder / "firestore.indexes.json")
    options = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]
    server = grpc.server(ThreadPoolExecutor(32), options=options)
    server.add_generic_rpc_handlers(tuple(part.handlers()))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    part.start()
    yield Server(f"127.0.0.1:{port}", folder / "firestore.indexes.json")
    part.close()
    server.stop(0).wait(10)
    clock.close()


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
