"""What webhooks need from outside: a way to send, a key to sign with, and what is to go wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from infra.local.faults import EventFault

Post = Callable[[str, Mapping[str, str], bytes], int]
"""(address, headers, body): the status of the answer, 0 when there was none."""

TIMEOUT_SECONDS = 10.0


class SigningKey(Protocol):
    """An RSA key with its id and its page."""

    @property
    def private(self) -> Any: ...

    @property
    def key_id(self) -> str: ...

    def jwks(self) -> dict[str, list[dict[str, str]]]: ...


def post(url: str, headers: Mapping[str, str], body: bytes) -> int:
    """Over the network."""
    import httpx

    from infra.local.outgoing import client

    try:
        with client(TIMEOUT_SECONDS) as sender:
            return sender.post(url, headers=dict(headers), content=body).status_code
    except (httpx.HTTPError, httpx.InvalidURL):
        return 0


def no_fault() -> EventFault:
    """Nothing goes wrong."""
    return EventFault()


@dataclass(frozen=True)
class Outside:
    """`key` None: one that is kept in the data directory. `fault` is asked once for each webhook."""

    post: Post = post
    key: SigningKey | None = None
    fault: Callable[[], EventFault] = no_fault
