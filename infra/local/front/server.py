"""A WSGI application on a socket that is already bound: HTTP/1.1, a thread a connection, nothing buffered."""

from __future__ import annotations

import json
import logging
import socket
import threading
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from werkzeug.serving import WSGIRequestHandler, make_server

from infra.local.front.chunks import Chunks
from infra.local.front.request_head import BadHead, check_head, clean_line

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication, WSGIEnvironment

log = logging.getLogger(__name__)
POLL_SECONDS = 0.1
CLOSE_SECONDS = 2.0


class _Handler(WSGIRequestHandler):
    """Werkzeug's handler, quiet about what went well; it answers what is no request in JSON as all the others."""

    protocol_version = "HTTP/1.1"
    raw_requestline: bytes

    def parse_request(self) -> bool:
        """Read the head; False once what is malformed is answered."""
        self.command = self.path = self.requestline = ""
        self.close_connection = True
        try:
            self.raw_requestline = clean_line(self.raw_requestline)
            if not super().parse_request():
                return False
            check_head(self.path, self.headers)
        except BadHead as error:
            self.send_error(HTTPStatus.BAD_REQUEST, str(error))
            return False
        return True

    def make_environ(self) -> WSGIEnvironment:
        environ = super().make_environ()
        if environ.get("wsgi.input_terminated"):
            environ["wsgi.input"] = Chunks(self.rfile)
        return environ

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        status, self.request_version = HTTPStatus(code), self.protocol_version
        error = {"code": code, "message": message or explain or status.description, "status": status.name}
        body = json.dumps({"error": error}).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def connection_dropped(self, error: BaseException, environ: WSGIEnvironment | None = None) -> None:
        """An answer that broke off ends its connection: its reader would wait for the rest for ever."""
        self.close_connection = True

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
