"""Pages on loopback under invented names: a policy and a resolver that let the fetcher get there and nowhere else."""

from __future__ import annotations

import socket
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from shared.gateway.transport import Cut
from shared.gateway.web.fetching import Fetched, Fetcher, Limits
from shared.gateway.web.policy import STANDARD_PORTS, Policy
from shared.gateway.web.resolving import Resolver
from tests.unit.gateway.servers import Talk

LOOPBACK = "127.0.0.1"


class Names:
    """A resolver's answers: the next one of each name, the last one for ever; every question is kept."""

    def __init__(self, **_: Any) -> None:
        self.answers: dict[str, list[Sequence[str]]] = {}
        self.asked: list[str] = []

    def __call__(self, host: str, _port: int) -> Sequence[str]:
        self.asked.append(host)
        left = self.answers.get(host)
        if left is None:
            raise socket.gaierror(f"no {host}")
        return left.pop(0) if len(left) > 1 else left[0]


def names(answers: Mapping[str, Sequence[Sequence[str]]]) -> Names:
    made = Names()
    made.answers = {host: list(found) for host, found in answers.items()}
    return made


def port_of(base: str) -> int:
    port = urlsplit(base).port
    assert port is not None
    return port


def fetcher(base: str, resolver: Names | None = None, **limits: Any) -> Fetcher:
    """A fetcher that may read from that server, under any name (a.example) that `resolver` sends there."""
    port = port_of(base)
    policy = Policy(STANDARD_PORTS | {port}, also=frozenset({(LOOPBACK, port)}))
    lookup = resolver or names({"a.example": [[LOOPBACK]]})
    return Fetcher(policy, Limits(**{"seconds": 5.0, **limits}), resolver=Resolver(lookup))


def fetch(
    base: str, path: str = "/", *, host: str = "a.example", resolver: Names | None = None, **limits: Any
) -> Fetched:
    return fetcher(base, resolver, **limits).fetch(f"http://{host}:{port_of(base)}{path}", Cut())


def moved(location: str, status: str = "302 Found", headers: str = "") -> Talk:
    def talk(connection: socket.socket, _request: bytes) -> None:
        head = f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nLocation: {location}\r\n{headers}Connection: close\r\n\r\n"
        connection.sendall(head.encode())

    return talk
