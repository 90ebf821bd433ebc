"""Keeps a functions host running: starts it, starts the next one when it dies, and stops it."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from infra.local.functions.sockets import PrivateSocket

log = logging.getLogger(__name__)
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.2, 10.0
STOP_SECONDS = 3.0
LOG_BYTES = 10_000_000
CODE = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class HostSettings:
    """What a host is started with: the project's folder, the whole environment, and where its log goes."""

    root: Path
    env: Mapping[str, str]
    log_file: Path


class HostProcess:
    """The host in a process of its own. `pid` is the running one's, `restarts` how often one had to be replaced."""

    def __init__(self, settings: HostSettings) -> None:
        self._settings = settings
        self._socket = PrivateSocket()
        self.socket_path = self._socket.path
        self.restarts = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._answering = threading.Event()
        self._closing = threading.Event()
        self._failed_starts = 0
        self._starting = threading.Lock()
        self._watcher = threading.Thread(target=self._watch, name="functions supervisor", daemon=True)

    @property
    def pid(self) -> int | None:
        """The process id of the host, None while there is none."""
        return self._process.pid if self._process is not None else None

    @property
    def failing(self) -> bool:
        """Whether hosts die again and again before they answer."""
        return self._failed_starts > 1

    def start(self) -> None:
        """Start the first host; returns at once. A log that has grown large is begun anew."""
        log_file = self._settings.log_file
        if log_file.exists() and log_file.stat().st_size > LOG_BYTES:
            log_file.replace(log_file.with_suffix(".old.log"))
        self._spawn()
        self._watcher.start()

    def wait_ready(self, seconds: float) -> bool:
        """Wait until a host answers; False when none does in time."""
        return self._answering.wait(seconds)

    def close(self) -> None:
        """End the host: SIGTERM, and SIGKILL after three seconds. Idempotent."""
        with self._starting:
            self._closing.set()
            process = self._process
        if process is not None:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
        if self._watcher.is_alive():
            self._watcher.join(STOP_SECONDS)
        self._socket.close()

    def _spawn(self) -> None:
        number = self._socket.listener.fileno()
        command = [sys.executable, "-m", "infra.local.functions.host", "--root", str(self._settings.root)]
        inherited = self._settings.env.get("PYTHONPATH")
        paths = [str(self._settings.root), str(CODE), *([inherited] if inherited else [])]
        with self._settings.log_file.open("ab") as log_file:
            self._process = subprocess.Popen(
                [*command, "--fd", str(number)],
                env={**self._settings.env, "PYTHONPATH": os.pathsep.join(paths)},
                cwd=self._settings.root,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log_file,
                pass_fds=[number],
            )

    def _watch(self) -> None:
        pause = 0.0
        while not self._closing.wait(pause):
            if self._process is None and not self._respawned():
                return
            pause = self._pause_after(self._life())

    def _respawned(self) -> bool:
        """Start the next host, unless all is being closed."""
        with self._starting:
            if self._closing.is_set():
                return False
            self.restarts += 1
            self._spawn()
            return True

    def _life(self) -> bool:
        """Wait until the running host is dead; whether it ever answered."""
        process = self._process
        assert process is not None and process.stdout is not None and process.stdin is not None
        with process.stdout, process.stdin:
            answered = process.stdout.readline() == b"ready\n"
            if answered:
                self._failed_starts = 0
                self._answering.set()
            code = process.wait()
        self._answering.clear()
        self._process = None
        if not self._closing.is_set():
            log.warning("the functions host ended with %s; its log is %s", code, self._settings.log_file)
        return answered

    def _pause_after(self, answered: bool) -> float:
        if answered:
            return 0.0
        self._failed_starts += 1
        return min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2.0 ** (self._failed_starts - 1))
