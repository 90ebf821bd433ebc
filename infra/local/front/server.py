"""A WSGI application on a socket that is already bound: HTTP/1.1, a thread a connection, nothing buffered."""

from __future__ import annotations

import logging
import socket
import threading
from typing import TYPE_CHECKING, Any

from werkzeug.serving import WSGIRequestHandler, make_server

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

log = logging.getLogger(__name__)
POLL_SECONDS = 0.1
CLOSE_SECONDS = 2.0


class _Handler(WSGIRequestHandler):
    """Werkzeug's handler, quiet about what went well."""

    protocol_version = "HTTP/1.1"

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        log.debug("%s %s %s", self.command, self.path, code)

    def log(self, type: str, message: str, *args: Any) -> None:
        log.error(message.rstrip(), *args) if type == "error" else log.debug(message.rstrip(), *args)


class _TcpHandler(_Handler):
    """Sends what is written at once, without Nagle's delay."""

    disable_nagle_algorithm = True


class Server:
    """Serves `app` on `listener` until `close()`, which leaves connections that still stream to their own end."""

    def __init__(self, listener: socket.socket, app: WSGIApplication, name: str) -> None:
        host, port = _address(listener)
        handler = _Handler if listener.family == socket.AF_UNIX else _TcpHandler
        self._server = make_server(host, port, app, threaded=True, request_handler=handler, fd=listener.fileno())
        self._thread = threading.Thread(target=self._serve, name=name, daemon=True)
        self._started = False

    def start(self) -> None:
        self._started = True
        self._thread.start()

    def close(self) -> None:
        """Stop accepting. Idempotent."""
        if self._started:
            self._server.shutdown()
            self._thread.join(CLOSE_SECONDS)
        else:
            self._server.server_close()

    def _serve(self) -> None:
        self._server.serve_forever(poll_interval=POLL_SECONDS)


def listen_on_loopback(port: int) -> socket.socket:
    """A listening socket on 127.0.0.1; 0 takes a free port. Raises OSError when the port is taken."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    return listener


def _address(listener: socket.socket) -> tuple[str, int]:
    if listener.family == socket.AF_UNIX:
        return f"unix://{listener.getsockname()}", 0
    host, port = listener.getsockname()[:2]
    return host, port
