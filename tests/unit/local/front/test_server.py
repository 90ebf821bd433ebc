"""The server under the front: an answer that breaks off is seen to break off, whenever it does."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Iterator

import pytest

from infra.local.front.server import Server, listen_on_loopback


def broken(pieces: int) -> Iterator[bytes]:
    yield from (b"a" for _ in range(pieces))
    raise ConnectionAbortedError("whoever made the answer has died")


@pytest.mark.parametrize("pieces", [0, 1])
def test_an_answer_that_breaks_off_ends_its_connection(pieces: int) -> None:
    def app(_environ: object, start_response: object) -> Iterable[bytes]:
        start_response("200 OK", [("Content-Length", "9")])  # type: ignore[operator]
        return broken(pieces)

    with listen_on_loopback(0) as listener:
        server = Server(listener, app, "broken")
        server.start()
        with socket.create_connection(listener.getsockname(), timeout=10) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answer = b"".join(iter(lambda: client.recv(65536), b""))
        server.close()
    assert answer.partition(b"\r\n\r\n")[2] == b"a" * pieces
