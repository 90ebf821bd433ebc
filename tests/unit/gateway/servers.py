"""A server of raw bytes: what a service really may send, byte by byte and as slowly as wanted."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Talk = Callable[[socket.socket, bytes], None]


@contextmanager
def raw_server(talk: Talk) -> Iterator[tuple[str, list[bytes]]]:
    """Answer each connection with `talk(connection, request)`; gives the base address and the requests so far."""
    listener = socket.create_server(("127.0.0.1", 0))
    requests: list[bytes] = []

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=handle, args=(connection,), daemon=True).start()

    def handle(connection: socket.socket) -> None:
        with connection:
            try:
                request = _request(connection)
                requests.append(request)
                talk(connection, request)
            except OSError:
                return

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", requests
    finally:
        listener.close()


def _request(connection: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        if not (piece := connection.recv(65_536)):
            return data
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    length = next((int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0)
    while len(body) < length:
        body += connection.recv(65_536)
    return head + b"\r\n\r\n" + body


def answering(status: str, body: bytes = b"", headers: str = "") -> Talk:
    """A whole answer with its length, then the connection is closed."""

    def talk(connection: socket.socket, _request: bytes) -> None:
        head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n{headers}\r\n"
        connection.sendall(head.encode() + body)

    return talk


def streaming(*pieces: bytes, then: threading.Event | None = None, kind: str = "text/event-stream") -> Talk:
    """An answer without a length: the pieces, then silence until `then` is set (at most 20 s), then the end."""

    def talk(connection: socket.socket, _request: bytes) -> None:
        connection.sendall(f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nConnection: close\r\n\r\n".encode())
        for piece in pieces:
            connection.sendall(piece)
        if then is not None:
            then.wait(20)

    return talk
