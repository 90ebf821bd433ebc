"""Getting a page: each address of each hop is checked, connected to as checked, and bounded in time and size."""

from __future__ import annotations

import ssl
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property

import httpx

from shared.gateway.transport import Cut, Exchange, Request, TransportError, build_client, ended_after, exchange
from shared.gateway.web.pinned import LOCATION, Pinned
from shared.gateway.web.policy import Policy
from shared.gateway.web.refusals import AddressRefused, Unreadable
from shared.gateway.web.resolving import Resolver
from shared.gateway.web.unpacking import bounded, unpacked
from shared.gateway.web.urls import WebAddress, parse

HOPS = 3
_REDIRECTS = (301, 302, 303, 307, 308)
_HEADERS = 200
_TRIED = 3
"""Of the addresses of a host, when one cannot be connected to."""
_SENT = {
    "User-Agent": "Memex/1.0 (reads single pages for a person)",
    "Accept": "text/html, text/plain, application/json, application/pdf;q=0.9, */*;q=0.1",
    "Accept-Encoding": "gzip, identity",
}


@dataclass(frozen=True)
class Limits:
    """`seconds` are for all hops together; `bytes` for what comes over the wire, and for what it is once unpacked."""

    seconds: float = 20.0
    connect_seconds: float = 5.0
    bytes: int = 5_000_000


@dataclass(frozen=True)
class Fetched:
    """What came: `address` is where it was, after all redirects; with `cut` the body is only its beginning."""

    address: WebAddress
    content_type: str
    body: bytes
    cut: bool


class Fetcher:
    """Fetches what `policy` allows. It has no cookies, no credentials, and keeps no connection."""

    def __init__(
        self,
        policy: Policy,
        limits: Limits = Limits(),
        *,
        resolver: Resolver | None = None,
        verify: ssl.SSLContext | None = None,
    ) -> None:
        self._policy, self._limits = policy, limits
        self._resolver = resolver or Resolver()
        self._verify = verify

    def fetch(self, url: str, cut: Cut) -> Fetched:
        """The page at the address. Raises BadAddress, AddressRefused, Unreadable, and TransportError.

        TransportError is what may go better another time: no connection, a broken one, the deadline; or the cut.
        """
        address = parse(url)
        with cut.inner() as handle, ended_after(self._limits.seconds, handle):
            for _hop in range(HOPS + 1):
                with self._answer(address, handle) as answer:
                    target = _location(answer)
                    if not target:
                        return self._read(address, answer)
                address = _followed(address, target)
        raise AddressRefused(f"The page redirects more than {HOPS} times.")

    @contextmanager
    def _answer(self, address: WebAddress, handle: Cut) -> Iterator[Exchange]:
        """The head of the answer at an address, from the first of its hosts that can be connected to."""
        self._policy.check(address)
        ips = self._resolver.resolve(address, handle)
        for ip in ips:
            self._policy.check_ip(address, ip)
        with ExitStack() as opened:
            answer = self._first(opened, address, ips, handle)
            if len(answer.headers.raw) > _HEADERS:
                raise Unreadable(f"The page came with more than {_HEADERS} headers.")
            yield answer

    def _first(self, opened: ExitStack, address: WebAddress, ips: Sequence[str], handle: Cut) -> Exchange:
        *others, last = ips[:_TRIED]
        for ip in others:
            try:
                return opened.enter_context(self._connected(address, ip, handle))
            except TransportError as error:
                if error.sent or handle.reason:
                    raise
        return opened.enter_context(self._connected(address, last, handle))

    @contextmanager
    def _connected(self, address: WebAddress, ip: str, handle: Cut) -> Iterator[Exchange]:
        limits = self._limits
        pinned = Pinned(self._transport, ip, min(limits.connect_seconds, limits.seconds))
        request = Request("GET", address.url, _SENT)
        client = build_client(pinned)  # one for each: no cookie outlives its answer
        with exchange(client, request, deadline_seconds=limits.seconds, cut=handle) as answer:
            yield answer

    @cached_property
    def _transport(self) -> httpx.HTTPTransport:
        limits = httpx.Limits(max_keepalive_connections=0)
        verify = self._verify or httpx.create_ssl_context(trust_env=False)
        return httpx.HTTPTransport(trust_env=False, limits=limits, verify=verify)

    def _read(self, address: WebAddress, answer: Exchange) -> Fetched:
        if not 200 <= answer.status < 300:
            raise Unreadable(f"The page at {address.host} answered with status {answer.status}.")
        most = self._limits.bytes
        raw, packing = answer.raw_chunks(), answer.headers.get("content-encoding", "")
        packed = packing.strip().lower() not in ("", "identity")
        body, cut = _beginning(unpacked(bounded(raw, most, "as it comes") if packed else raw, packing, most), most)
        return Fetched(address, answer.headers.get("content-type", ""), body, cut)


def _location(answer: Exchange) -> str:
    return str(answer.headers[LOCATION]) if answer.status in _REDIRECTS else ""


def _followed(address: WebAddress, location: str) -> WebAddress:
    target = address.redirected(location)
    if address.scheme == "https" and target.scheme != "https":
        raise AddressRefused(f"{address.host} redirects from https to http: {target.url}")
    return target


def _beginning(pieces: Iterable[bytes], most: int) -> tuple[bytes, bool]:
    """The first `most` bytes, and whether there were more."""
    kept = bytearray()
    for piece in pieces:
        kept += piece
        if len(kept) > most:
            return bytes(kept[:most]), True
    return bytes(kept), False
