"""One way to speak HTTP to other services: every exchange ends at a deadline and can be cut from another thread.

A read timeout bounds the wait for the next byte only, and closing a response does not free a thread that reads from it.
So an exchange keeps the socket it runs on, and whoever ends it shuts that socket down.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import httpx

from shared.errors import Transient

CONNECT_SECONDS = 10.0
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)


class TransportError(Transient):
    """The exchange gave no whole answer. `sent` is False only where the request surely did not go out."""

    def __init__(self, reason: str, message: str, *, sent: bool) -> None:
        super().__init__(message, reason=reason)
        self.reason, self.sent = reason, sent


class Cut:
    """The handle that ends exchanges: `cut` may be called from any thread, also before a connection exists."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._sockets: list[socket.socket] = []
        self._inner: list[Cut] = []
        self.reason = ""

    def cut(self, reason: str = "cancelled") -> None:
        """Shut every socket of the exchanges under this handle, now and later. The first reason stays."""
        with self._lock:
            self.reason = self.reason or reason
            self._ended.set()
            for connection in self._sockets:
                _shut(connection)
            inner = tuple(self._inner)
        for handle in inner:
            handle.cut(reason)

    def wait(self, seconds: float) -> bool:
        """Wait that long, or less when the handle is cut meanwhile; whether it was. For pauses between two tries."""
        return self._ended.wait(seconds)

    @contextmanager
    def inner(self) -> Iterator[Cut]:
        """A handle that ends with this one, and may end alone: by the deadline of one exchange among several."""
        handle = Cut()
        with self._lock:
            self._inner.append(handle)
            reason = self.reason
        if reason:
            handle.cut(reason)
        try:
            yield handle
        finally:
            with self._lock:
                self._inner.remove(handle)

    def trace(self, event: str, info: Mapping[str, object]) -> None:
        """httpcore's trace hook: learns of each connection that is opened."""
        if event not in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            return
        connection = getattr(info.get("return_value"), "get_extra_info", lambda _name: None)("socket")
        if not isinstance(connection, socket.socket):
            return
        with self._lock:
            self._sockets.append(connection)
            if self.reason:
                _shut(connection)


def _shut(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:  # already closed, or its descriptor has passed to a TLS socket that is registered too
        return


@dataclass(frozen=True)
class Request:
    """What is sent: once, without following redirects."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes = b""


class Exchange:
    """An answer whose head has come; its body is read as far as the caller wants."""

    def __init__(self, response: httpx.Response, cut: Cut) -> None:
        self._response, self._cut = response, cut
        self.status, self.headers = response.status_code, response.headers

    def chunks(self, max_bytes: int) -> Iterator[bytes]:
        """The body piece by piece. Raises TransportError when it is cut, breaks off, or is longer than `max_bytes`."""
        size = 0
        with translated(self._cut):
            for chunk in self._response.iter_bytes():
                size += len(chunk)
                if size > max_bytes:
                    raise TransportError("too_large", f"The answer is longer than {max_bytes} bytes.", sent=True)
                yield chunk
        if self._cut.reason:  # a shut socket can look like the regular end of a body without a length
            raise cut_error(self._cut)

    def raw_chunks(self) -> Iterator[bytes]:
        """The body as it comes over the wire, still packed and without an end that we set. Raises as `chunks` does."""
        with translated(self._cut):
            yield from self._response.iter_raw()
        if self._cut.reason:
            raise cut_error(self._cut)

    def body(self, max_bytes: int) -> bytes:
        """The whole body; raises as `chunks` does."""
        return b"".join(self.chunks(max_bytes))


def build_client(transport: httpx.BaseTransport | None = None) -> httpx.Client:
    """A client that takes no proxy, netrc or certificate from the environment, follows no redirect, retries nothing.

    Connections are not kept: each exchange must know its own socket.
    """
    return httpx.Client(
        trust_env=False,
        headers={"Accept-Encoding": "identity"},  # nothing can grow while it is unpacked
        follow_redirects=False,
        timeout=httpx.Timeout(None, connect=CONNECT_SECONDS),
        limits=httpx.Limits(max_keepalive_connections=0),
        transport=transport,
    )


@contextmanager
def exchange(
    client: httpx.Client, request: Request, *, deadline_seconds: float, cut: Cut | None = None
) -> Iterator[Exchange]:
    """Send the request once and give its answer; after `deadline_seconds` in all, whatever blocks is cut.

    The deadline ends this exchange alone, not what else runs under `cut`.
    Raises TransportError. Names are resolved by the system before there is a socket: that wait is bounded by the
    system's resolver, not by the deadline.
    """
    with (cut or Cut()).inner() as handle, ended_after(deadline_seconds, handle):
        with translated(handle):
            response = client.send(_built(client, request, handle), stream=True)
        try:
            yield Exchange(response, handle)
        finally:
            response.close()


@contextmanager
def ended_after(seconds: float, cut: Cut) -> Iterator[None]:
    """Cut the handle with the reason "deadline" once so many seconds have passed inside the block."""
    timer = threading.Timer(seconds, cut.cut, ["deadline"])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _built(client: httpx.Client, request: Request, handle: Cut) -> httpx.Request:
    built = client.build_request(
        request.method, request.url, headers=dict(request.headers), content=request.content or None
    )
    built.extensions["trace"] = handle.trace
    return built


@contextmanager
def translated(handle: Cut) -> Iterator[None]:
    """Raise what httpx raises as TransportError, with the handle's reason once it was cut."""
    try:
        yield
    except (httpx.LocalProtocolError, UnicodeEncodeError):
        # Without its cause: that one quotes the header, which may be the caller's credentials.
        raise TransportError("malformed", "A header or the address cannot be sent as it is.", sent=False) from None
    except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
        sent = not isinstance(error, (*_NOT_SENT, httpx.UnsupportedProtocol, httpx.InvalidURL))
        if handle.reason:
            raise cut_error(handle, sent=sent) from error
        reason = "timeout" if isinstance(error, httpx.TimeoutException) else "connection"
        raise TransportError(reason, _said(error), sent=sent) from error


def _said(error: Exception) -> str:
    """What went wrong; where there was no connection also to where, without path and query, which may hold a key."""
    said = f"{type(error).__name__}: {error}"
    if not isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        return said
    try:
        url = error.request.url
    except RuntimeError:  # httpx does not know it either
        return said
    return f"No connection to {url.scheme}://{url.netloc.decode('ascii', 'replace')} ({said})"


def cut_error(handle: Cut, *, sent: bool = True) -> TransportError:
    """What an exchange raises that was ended by its handle."""
    return TransportError(handle.reason, f"The exchange was ended: {handle.reason}.", sent=sent)
