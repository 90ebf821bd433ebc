"""The same host without a process of its own: for tests, virtual clocks and debuggers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from infra.local.front.server import Server
from infra.local.functions.apps import build, read_manifest
from infra.local.functions.dispatcher import Dispatcher
from infra.local.functions.sockets import PrivateSocket


class InlineHost:
    """Serves the functions from threads of this process.

    The functions read the process's own environment, so `env` is written into it until `close()`.
    """

    restarts = 0
    failing = False

    def __init__(self, root: Path, env: Mapping[str, str]) -> None:
        self._env = dict(env)
        self._before = {name: os.environ.get(name) for name in self._env}
        self._socket = PrivateSocket()
        self.socket_path = self._socket.path
        self.dispatcher = Dispatcher(read_manifest(root).functions, partial(build, root))
        self._server = Server(self._socket.listener, self.dispatcher, "functions")

    @property
    def pid(self) -> int | None:
        return os.getpid()

    def start(self) -> None:
        os.environ.update(self._env)
        self._server.start()

    def wait_ready(self, seconds: float) -> bool:
        """Load every function, however long it takes; always True."""
        self.dispatcher.build_all()
        return True

    def close(self) -> None:
        """Idempotent."""
        self._server.close()
        self._socket.close()
        for name, value in self._before.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})
