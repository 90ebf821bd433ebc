"""Cutting the connection under a request, as a network that fails does."""

from __future__ import annotations

import socket
from typing import Any

from flask import Response


def cut(environ: dict[str, Any]) -> Response:
    """Shut the client's connection; the response returned is for the server, the client sees none of it.

    Where the server does not hand out its socket, the client gets an empty event stream instead: an answer without
    an id is as good as lost.
    """
    connection = environ.get("werkzeug.socket")
    if isinstance(connection, socket.socket):
        connection.shutdown(socket.SHUT_RDWR)
    return Response(b"", mimetype="text/event-stream")
