"""A server on loopback, on a thread of its own, for as long as a test talks to it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any


class QuietHandler(BaseHTTPRequestHandler):
    """Says nothing of what it answers."""

    def log_message(self, format: str, *args: Any) -> None:
        return


@contextmanager
def serving(server: HTTPServer) -> Iterator[str]:
    """The address of a server that is bound to 127.0.0.1, while inside; closed after that."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join(10)
        server.server_close()
