"""Hands a request to the functions host and its answer back, as it comes, within the function's time."""

from __future__ import annotations

import contextlib
import http.client
import logging
import math
import socket
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from infra.local.clock import Clock, Timer
from infra.local.front.guard import Refused
from infra.local.front.watch import ClientWatch
from infra.local.functions.sockets import UnixConnection
from infra.local.meter import Meter
from shared.contracts.manifest import FunctionRow

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse

log = logging.getLogger(__name__)
HOP_BY_HOP = frozenset(
    {
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
OWN = frozenset({"date", "server"})
"""What the front says of itself in each answer, so that the inner answer's are left out."""
BILLED_STEP_SECONDS = 0.1
READ_BYTES = 64 * 1024
UNITS = {"Mi": 1 / 1024, "Gi": 1.0}


class Host(Protocol):
    """What the front needs of the functions host."""

    @property
    def socket_path(self) -> Path: ...

    @property
    def failing(self) -> bool: ...


@dataclass(frozen=True)
class Call:
    """One request for a function; `target` is the path it shall see, with its query."""

    row: FunctionRow
    method: str
    target: str
    headers: list[tuple[str, str]]
    body: bytes
    client: socket.socket


class Proxy:
    """Forwards calls and counts what they would cost."""

    def __init__(self, host: Host, clock: Clock, meter: Meter) -> None:
        self._host, self._clock, self._meter = host, clock, meter
        self._watch = ClientWatch()

    def forward(self, call: Call, start_response: StartResponse) -> Iterable[bytes]:
        """The function's answer. Raises Refused with 503 (the host died, or cannot start) or 504 (out of time)."""
        if self._host.failing:
            raise Refused("503 Service Unavailable", "The functions host cannot start; its log says why.")
        exchange = _Exchange(self._host.socket_path, call, self._clock, self._watch)
        exchange.metered = self._meter.began(call.row.name, call.target)
        try:
            response = exchange.send()
        except BaseException:
            self.finish(exchange)
            raise
        headers = [(name, value) for name, value in response.getheaders() if name.lower() not in HOP_BY_HOP | OWN]
        start_response(f"{response.status} {response.reason or 'Unknown'}", headers)
        return _Body(self, exchange, response)

    def finish(self, exchange: _Exchange) -> None:
        """Close the connection and count the call: Cloud Run bills in steps of 100 ms."""
        row, seconds = exchange.call.row, exchange.close()
        self._meter.ended(exchange.metered, seconds)
        billed = math.ceil(seconds / BILLED_STEP_SECONDS) * BILLED_STEP_SECONDS
        self._meter.add("functions", "invocations")
        self._meter.add("functions", "gib_seconds", billed * memory_gib(row.memory))
        self._meter.add("functions", "vcpu_seconds", billed * row.cpu)

    def close(self) -> None:
        self._watch.close()


class _Body:
    """The answer's chunks; closing it, at its end or before, ends the exchange."""

    def __init__(self, proxy: Proxy, exchange: _Exchange, response: http.client.HTTPResponse) -> None:
        self._proxy, self._exchange = proxy, exchange
        self._chunks = exchange.chunks(response)

    def __iter__(self) -> Iterator[bytes]:
        return self._chunks

    def close(self) -> None:
        self._proxy.finish(self._exchange)


class _Deadline:
    """Ends a connection when its time is over. The clock may hold it long after the call, so it holds little."""

    def __init__(self, connection: UnixConnection) -> None:
        self._connection = connection
        self.expired = False

    def expire(self) -> None:
        self.expired = True
        self._connection.abort()


class _Exchange:
    """One request and answer on a connection of its own, ended by the client, the clock or the host."""

    def __init__(self, path: Path, call: Call, clock: Clock, watch: ClientWatch) -> None:
        self.call = call
        self.metered = 0
        self._clock = clock
        self._began = self._heard = clock.now()
        self._connection = UnixConnection(path)
        self._response: http.client.HTTPResponse | None = None
        self._deadline = _Deadline(self._connection)
        self._guards = contextlib.ExitStack()
        self._timer: Timer | None = None
        self._watch = watch

    def send(self) -> http.client.HTTPResponse:
        call = self.call
        try:
            self._connection.connect()
            self._timer = self._clock.call_later(call.row.timeout_seconds, self._deadline.expire, "function timeout")
            self._guards.enter_context(self._watch.watching(call.client, self._connection.abort))
            self._connection.putrequest(call.method, call.target, skip_host=True, skip_accept_encoding=True)
            for name, value in call.headers:
                self._connection.putheader(name, value)
            self._connection.endheaders(call.body)
            self._response = self._connection.getresponse()
            self._heard = self._clock.now()
        except (OSError, http.client.HTTPException) as error:
            self._heard = self._clock.now()
            raise self._refusal() from error
        return self._response

    def chunks(self, response: http.client.HTTPResponse) -> Iterator[bytes]:
        """The body piece by piece. An answer that is cut off raises, so that the client sees it cut off too."""
        try:
            while chunk := response.read1(READ_BYTES):
                self._heard = self._clock.now()
                yield chunk
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise ConnectionAbortedError(f"the answer of {self.call.row.name} was cut off") from error
        if response.length:
            raise ConnectionAbortedError(f"the answer of {self.call.row.name} was cut off")

    def close(self) -> float:
        """End it; how many seconds it took until the last that was heard of it: who takes that may be slow."""
        if self._timer is not None:
            self._timer.cancel()
        self._guards.close()
        if self._response is not None:
            self._response.close()
        self._connection.close()
        return (self._heard - self._began).total_seconds()

    def _refusal(self) -> Refused:
        name = self.call.row.name
        if self._deadline.expired:
            return Refused("504 Gateway Timeout", f"{name} took longer than {self.call.row.timeout_seconds} s.")
        return Refused("503 Service Unavailable", f"The instance of {name} ended before it answered.")


def memory_gib(text: str) -> float:
    """ "512Mi" as 0.5. Raises ValueError for another unit."""
    number, unit = text[:-2], text[-2:]
    if unit not in UNITS:
        raise ValueError(f"memory must be given in Mi or Gi, not {text!r}")
    return float(number) * UNITS[unit]
