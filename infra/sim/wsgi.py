"""Calling a WSGI application without a socket; its answer is as lazy as the application makes it."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication


@dataclass(frozen=True)
class Request:
    """An HTTP request; `target` is path and query."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes = b""


class Answer:
    """An HTTP answer whose body is made while it is read; `close` ends it, read or not."""

    def __init__(self, status: int, headers: Mapping[str, str], body: Iterable[bytes]) -> None:
        self.status, self.headers = status, headers
        self._body = body
        self._chunks = iter(body)
        self._closed = False

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            if chunk:
                yield chunk

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            close = getattr(self._body, "close", None)
            if close is not None:
                close()

    def read(self) -> bytes:
        """The whole body; the answer is closed then."""
        try:
            return b"".join(self)
        finally:
            self.close()


def call(app: WSGIApplication, request: Request) -> Answer:
    """The application's answer; what it raises is its caller's."""
    head: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
        if exc_info is not None and exc_info[1] is not None:
            raise exc_info[1]
        head[:] = [int(status.split(" ", 1)[0]), {name.lower(): value for name, value in headers}]
        return lambda _data: None

    body = app(_environ(request), start_response)
    return Answer(head[0], head[1], body)


def _environ(request: Request) -> dict[str, Any]:
    parts = urlsplit(request.target)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": request.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote(parts.path),
        "RAW_URI": request.target,
        "QUERY_STRING": parts.query,
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "CONTENT_LENGTH": str(len(request.body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(request.body),
        "wsgi.errors": io.StringIO(),
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in request.headers.items():
        key = name.upper().replace("-", "_")
        environ[key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"] = value
    environ.setdefault("HTTP_HOST", "127.0.0.1")
    return environ
