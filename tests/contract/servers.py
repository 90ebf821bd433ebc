"""The parts under comparison behind gRPC on a port of their own: what the suites and the comparison talk to."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc

from infra.local.clock import RealClock
from infra.local.firestore.service import FirestorePart
from infra.local.meter import Meter
from infra.local.pubsub.service import PubSubPart

_OPTIONS = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]


@dataclass(frozen=True)
class Server:
    """Where the service listens; `indexes` is None for a server that enforces none."""

    address: str
    indexes: Path | None


class NoTokens:
    """These tests push without tokens."""

    def id_token(self, email: str, audience: str) -> str:
        raise AssertionError("no token was asked for")


@contextmanager
def local_firestore(folder: Path) -> Iterator[Server]:
    """A new Firestore that keeps its data and its declared indexes in `folder`."""
    clock = RealClock()
    part = FirestorePart(folder, clock, Meter(), folder / "firestore.indexes.json")
    with _serving(part, clock) as address:
        yield Server(address, folder / "firestore.indexes.json")


@contextmanager
def local_pubsub(folder: Path) -> Iterator[str]:
    """A new Pub/Sub; its address."""
    clock = RealClock()
    with _serving(PubSubPart(folder, clock, Meter(), NoTokens()), clock) as address:
        yield address


@contextmanager
def _serving(part: FirestorePart | PubSubPart, clock: RealClock) -> Iterator[str]:
    server = grpc.server(ThreadPoolExecutor(32), options=_OPTIONS)
    server.add_generic_rpc_handlers(tuple(part.handlers()))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    part.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        part.close()
        server.stop(0).wait(10)
        clock.close()
