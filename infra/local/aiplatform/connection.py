"""Cutting the connection under a request, as a network that fails does."""

from __future__ import annotations

import select
import socket
from collections.abc import Iterator, Mapping
from typing import Any

from flask import Response


def cut(environ: dict[str, Any]) -> Response:
    """A response that shuts the client's connection instead of answering, once the request has been recorded.

    Where the server does not hand out its socket, the client gets an empty event stream instead: an answer without
    an id is as good as lost.
    """
    return Response(_cutting(environ), mimetype="text/event-stream")


def shut(environ: Mapping[str, Any]) -> None:
    """Shut the connection that a response is being sent on, where the server hands out its socket."""
    connection = environ.get("werkzeug.socket")
    if isinstance(connection, socket.socket):
        connection.shutdown(socket.SHUT_RDWR)


def await_leaving(environ: Mapping[str, Any], seconds: float) -> bool:
    """Wait so long for the client to go; whether it has. Without the server's socket that is never seen."""
    connection = environ.get("werkzeug.socket")
    if not isinstance(connection, socket.socket):
        return False
    readable, _, _ = select.select([connection], [], [], seconds)
    try:
        return bool(readable) and connection.recv(1, socket.MSG_PEEK) == b""
    except OSError:
        return True


def _cutting(environ: Mapping[str, Any]) -> Iterator[bytes]:
    shut(environ)
    yield b""
