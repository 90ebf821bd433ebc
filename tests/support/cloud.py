"""The local Firestore in this process, for tests that need one and nothing else of the cloud."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import grpc
from google.cloud.firestore_v1 import Client

from infra.local.clock import Clock, RealClock
from infra.local.firestore.service import FirestorePart
from infra.local.meter import Meter

INDEXES = Path(__file__).parents[2] / "infra" / "firestore.indexes.json"
PROJECT = "memex-local"


@contextmanager
def local_firestore(data_dir: Path, clock: Clock | None = None) -> Iterator[Client]:
    """A client of a new, empty Firestore that refuses queries without a declared index, as production does.

    A `clock` that is given stays the caller's to close.
    """
    used = clock or RealClock()
    part = FirestorePart(data_dir, used, Meter(), INDEXES)
    server = grpc.server(ThreadPoolExecutor(max_workers=16))
    server.add_generic_rpc_handlers(tuple(part.handlers()))
    port = server.add_insecure_port("127.0.0.1:0")
    part.start()
    server.start()
    with mock.patch.dict(os.environ, FIRESTORE_EMULATOR_HOST=f"127.0.0.1:{port}"):
        client = Client(project=PROJECT)
    try:
        yield client
    finally:
        client.close()
        server.stop(grace=1).wait()
        part.close()
        if clock is None:
            used.close()
