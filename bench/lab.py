"""What the subjects share: the servers that are running, the clients on them, how many rounds to make."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path
from unittest import mock

import grpc
from google.cloud import firestore

from bench import servers
from bench.row import GOOGLE, LOCAL
from bench.servers import Server
from bench.timing import Plan

PROJECT = "memex-local"
WARM_UP = 1000


class Lab:
    """Servers are started when first asked for and end with the lab; a context manager."""

    def __init__(self, repeat: float = 1.0) -> None:
        self.repeat = repeat
        self.emulators = servers.emulators()
        self._ends = ExitStack()

    def __enter__(self) -> Lab:
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.close()

    @property
    def plan(self) -> Plan:
        """The rounds of an ordinary comparison."""
        return Plan(rounds=self.rounds(15))

    def rounds(self, usual: int) -> int:
        """That many, as often as was asked for; three at least."""
        return max(3, round(usual * self.repeat))

    def running(self, start: Callable[[], Server]) -> Server:
        """A server that runs until the lab closes."""
        server = start()
        self._ends.callback(server.stop)
        return server

    @cached_property
    def folder(self) -> Path:
        """For files; gone when the lab closes."""
        return Path(self._ends.enter_context(tempfile.TemporaryDirectory(prefix="memex-bench-")))

    @cached_property
    def local(self) -> Server:
        """The local cloud on the benchmark's project, without functions."""
        return self.running(servers.local_cloud)

    @cached_property
    def firestore_servers(self) -> dict[str, Server]:
        return self._sides("firestore")

    @cached_property
    def pubsub_servers(self) -> dict[str, Server]:
        return self._sides("pubsub")

    @cached_property
    def firestores(self) -> dict[str, firestore.Client]:
        """One client for each side, whose server is warm: a JVM compiles what has run some thousand times."""
        clients = {name: self.firestore_client(server.address) for name, server in self.firestore_servers.items()}
        for client in clients.values():
            for number in range(WARM_UP):
                document = client.collection("warm").document(f"d{number % 100}")
                document.set({"number": number})
                document.get()
        return clients

    def firestore_client(self, address: str) -> firestore.Client:
        with mock.patch.dict(os.environ, FIRESTORE_EMULATOR_HOST=address):
            client = firestore.Client(project=PROJECT)
        self._ends.callback(client.close)
        return client

    @contextmanager
    def channel(self, server: Server) -> Iterator[grpc.Channel]:
        with grpc.insecure_channel(server.address) as channel:
            yield channel

    def _sides(self, service: str) -> dict[str, Server]:
        sides = {LOCAL: self.local}
        if service in self.emulators:
            sides[GOOGLE] = self.running(lambda: servers.emulator(service))
        return sides
