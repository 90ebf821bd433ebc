"""Notices that a client has gone while its answer is still being waited for."""

from __future__ import annotations

import contextlib
import select
import socket
import threading
from collections.abc import Callable, Iterator


class ClientWatch:
    """One thread that watches the connections of all requests under way."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watched: dict[int, tuple[socket.socket, Callable[[], None]]] = {}
        self._poll = select.poll()
        self._wake_reader, self._wake_writer = socket.socketpair()
        self._poll.register(self._wake_reader, select.POLLIN)
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="client watch", daemon=True)
        self._thread.start()

    @contextlib.contextmanager
    def watching(self, client: socket.socket, gone: Callable[[], None]) -> Iterator[None]:
        """Call `gone`, on the watching thread, when the client closes its side before the block ends."""
        number = client.fileno()
        with self._lock:
            self._watched[number] = (client, gone)
            self._poll.register(number, select.POLLIN)
            self._wake()
        try:
            yield
        finally:
            with self._lock:
                self._forget(number)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._wake()
        self._thread.join(1.0)

    def _wake(self) -> None:
        """A poll under way does not see what is registered after it began."""
        self._wake_writer.send(b"\0")

    def _forget(self, number: int) -> None:
        if self._watched.pop(number, None) is not None:
            self._poll.unregister(number)

    def _run(self) -> None:
        while not self._closed:
            for number, _ in self._poll.poll():
                if number == self._wake_reader.fileno():
                    self._wake_reader.recv(4096)
                else:
                    self._look(number)
        self._wake_reader.close()
        self._wake_writer.close()

    def _look(self, number: int) -> None:
        with self._lock:
            client, gone = self._watched.get(number, (None, None))
            if client is None or gone is None:
                return
            closed = _has_ended(client)
            self._forget(number)  # one that sends more instead is of no further interest
            if closed:
                gone()


def _has_ended(client: socket.socket) -> bool:
    try:
        return client.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
