"""The private Unix socket between the front and the functions: nobody else can go round the front's checks."""

from __future__ import annotations

import contextlib
import http.client
import shutil
import socket
import tempfile
from pathlib import Path

BACKLOG = 128


class PrivateSocket:
    """A listening Unix socket in a folder only this user can enter.

    It is bound once, in the main process, and handed to each host in turn: what arrives while a host is
    being replaced waits in the kernel's queue, as a request waits for a cold start.
    """

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="memex-"))  # 0700, and short: a socket's path ends at 104 bytes
        self.path = self._folder / "functions"
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.bind(str(self.path))
        self.listener.listen(BACKLOG)

    def close(self) -> None:
        """Idempotent."""
        self.listener.close()
        shutil.rmtree(self._folder, ignore_errors=True)


class UnixConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket; `abort()` ends it from any thread. Without `seconds` it waits for ever."""

    def __init__(self, path: Path, seconds: float | None = None) -> None:
        super().__init__("functions", timeout=seconds)
        self._path = path
        self._socket: socket.socket | None = None

    def connect(self) -> None:
        self._socket = self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))

    def abort(self) -> None:
        """Shut the socket down; a blocked read returns at once, of the answer too."""
        if self._socket is not None:  # not self.sock, which http.client lets go of once the answer has begun
            with contextlib.suppress(OSError):  # it is closed already
                self._socket.shutdown(socket.SHUT_RDWR)
