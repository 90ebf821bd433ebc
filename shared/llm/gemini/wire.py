"""The transport that google-genai sends through: ours, so that a call can be cut, and its answer kept as it came."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from shared.gateway import sse
from shared.gateway.transport import CONNECT_SECONDS, Cut, TransportError

_MOST_BYTES = 32_000_000


class Sent:
    """One request of the SDK: the handle it runs under, and what has come back so far."""

    def __init__(self, cut: Cut) -> None:
        self.cut = cut
        self.headers: httpx.Headers = httpx.Headers()
        self._pieces: list[bytes] = []
        self._size = 0
        self._stream: httpx.SyncByteStream | None = None

    def frames(self) -> Iterator[dict[str, Any]]:
        """The JSON objects of the event stream, with fields that the SDK does not know and bytes as they came."""
        return sse.frames(self._pieces)

    def opened(self, response: httpx.Response, stream: httpx.SyncByteStream) -> None:
        self.headers, self._stream = response.headers, stream

    def take(self, piece: bytes) -> bytes:
        """Keep a piece of the body. Raises TransportError when there is too much of it."""
        self._size += len(piece)
        if self._size > _MOST_BYTES:
            raise TransportError("too_large", f"The answer is longer than {_MOST_BYTES} bytes.", sent=True)
        self._pieces.append(piece)
        return piece

    def close(self) -> None:
        """Give the connection back; the SDK leaves a stream open that is not read to its end."""
        if self._stream is not None:
            self._stream.close()


class Wire(httpx.BaseTransport):
    """Sends each request under the handle of the call that this thread is making."""

    def __init__(self) -> None:
        limits = httpx.Limits(max_keepalive_connections=0)  # each exchange must know its own socket
        self._inner = httpx.HTTPTransport(trust_env=False, limits=limits)
        self._calls = threading.local()

    @contextmanager
    def under(self, sent: Sent) -> Iterator[None]:
        """Requests that this thread sends inside the block belong to `sent`."""
        self._calls.current = sent
        try:
            yield
        finally:
            del self._calls.current

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        sent: Sent = self._calls.current
        # The SDK gives one timeout for everything or none at all; a socket that never connects could not be cut.
        timeout = {"connect": CONNECT_SECONDS, "read": None, "write": None, "pool": None}
        request.extensions = {**request.extensions, "trace": sent.cut.trace, "timeout": timeout}
        response = self._inner.handle_request(request)
        assert isinstance(response.stream, httpx.SyncByteStream)
        sent.opened(response, response.stream)
        response.stream = _Kept(response.stream, sent)
        return response

    def close(self) -> None:
        self._inner.close()


class _Kept(httpx.SyncByteStream):
    def __init__(self, stream: httpx.SyncByteStream, sent: Sent) -> None:
        self._stream, self._sent = stream, sent

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._stream:
            yield self._sent.take(piece)

    def close(self) -> None:
        self._stream.close()
