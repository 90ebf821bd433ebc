"""One request of a WSGI server through an ASGI application, for a library that speaks ASGI alone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from flask import Request, Response

from shared.errors import Transient

Message = MutableMapping[str, Any]
Application = Callable[
    [MutableMapping[str, Any], Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]],
    Awaitable[None],
]


def answer(application: Application, request: Request, body: bytes, *, seconds: float) -> Response:
    """The application's whole answer to the request, whose body has been read already.

    An event loop of its own runs it on the calling thread, so it may block. Nothing of the answer is sent before its
    end: not for streams. Raises Transient when it takes longer than `seconds`, or ends without an answer.
    """
    return asyncio.run(_exchange(application, request, body, seconds))


async def _exchange(application: Application, request: Request, body: bytes, seconds: float) -> Response:
    given = [{"type": "http.request", "body": body, "more_body": False}]
    collected = _Collected()

    async def receive() -> Message:
        if given:
            return given.pop()
        await asyncio.Event().wait()  # the client is taken to stay; the deadline ends it
        raise AssertionError("unreachable")

    try:
        async with asyncio.timeout(seconds):
            await application(_scope(request), receive, collected.send)
    except TimeoutError as error:
        raise Transient(f"It took longer than {seconds:g} seconds.") from error
    return collected.response()


class _Collected:
    """What the application sends, until it can be answered in one piece."""

    def __init__(self) -> None:
        self._start: Message | None = None
        self._chunks: list[bytes] = []

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._start = message
        elif message["type"] == "http.response.body":
            self._chunks.append(message.get("body", b""))

    def response(self) -> Response:
        if self._start is None:
            raise Transient("The request was not answered.")
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in self._start.get("headers", ())]
        return Response(b"".join(self._chunks), self._start["status"], headers)


def _scope(request: Request) -> MutableMapping[str, Any]:
    """The request as ASGI's HTTP scope; repeated headers have been joined by the WSGI server."""
    headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in request.headers.items()]
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": request.scheme,
        "path": request.path,
        "raw_path": request.path.encode(),
        "root_path": "",
        "query_string": request.query_string,
        "headers": headers,
        "client": None,
        "server": None,
    }
