"""The public keys that others sign tokens with: fetched when first needed, kept for as long as their page says."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any

from shared.clock import Clock
from shared.errors import Transient, Unauthorized

if TYPE_CHECKING:
    import httpx

FETCH_SECONDS = 5.0
PAGE_BYTES = 200_000
ANEW_SECONDS = 60.0
"""A page is fetched anew for a key that it lacks once in this time at most: whoever invents keys costs little."""
AGAIN_SECONDS = 5.0
"""After a fetch that failed the next one waits so long."""
DEFAULT_SECONDS, LEAST_SECONDS, MOST_SECONDS = 3600.0, 60.0, 86_400.0
"""How long a page without Cache-Control is kept, and the bounds of what Cache-Control may say."""
KEY_BITS = 2048
"""Shorter keys are taken for none."""
_MAX_AGE = re.compile(r"max-age\s*=\s*\"?(\d{1,9})")


@dataclass(frozen=True)
class _Page:
    keys: Mapping[str, Any]
    fetched: datetime
    until: datetime


@dataclass
class _Source:
    """One address of keys; one fetch of it at a time."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    page: _Page | None = None
    failed: datetime | None = None


class KeyRing:
    """Keys by address and id. `transport` stands in for the network in tests."""

    def __init__(self, clock: Clock, transport: httpx.BaseTransport | None = None) -> None:
        self._clock, self._transport = clock, transport
        self._lock = threading.Lock()
        self._sources: dict[str, _Source] = {}

    def key(self, url: str, kid: str) -> Any:
        """The RSA key of that id at that address (a JSON Web Key Set, RFC 7517).

        Raises Unauthorized where there is none, Transient while the address does not answer.
        """
        with self._lock:
            source = self._sources.setdefault(url, _Source())
        page = source.page
        if page is None or not self._answers(page, kid):
            with source.lock:
                page = source.page
                if page is None or not self._answers(page, kid):
                    page = self._fetched(url, source)
        if kid not in page.keys:
            raise Unauthorized("The token is signed with a key that its issuer does not have.")
        return page.keys[kid]

    def _answers(self, page: _Page, kid: str) -> bool:
        """Whether this page decides about the key, so that no other is fetched."""
        now = self._clock.now()
        return now < page.until and (kid in page.keys or now < page.fetched + timedelta(seconds=ANEW_SECONDS))

    def _fetched(self, url: str, source: _Source) -> _Page:
        now = self._clock.now()
        if source.failed is not None and now < source.failed + timedelta(seconds=AGAIN_SECONDS):
            raise _away()
        try:
            source.page = self._fetch(url)
        except Transient as error:
            source.failed = now
            raise _away() from error
        source.failed = None
        return source.page

    def _fetch(self, url: str) -> _Page:
        from shared.gateway.transport import Request, exchange

        with exchange(self._client, Request("GET", url), deadline_seconds=FETCH_SECONDS) as answer:
            if answer.status != 200:
                raise Transient(f"The keys' address answered {answer.status}.")
            keys = _keys(answer.body(PAGE_BYTES))
            lifetime = _lifetime(answer.headers)
        now = self._clock.now()
        return _Page(keys, now, now + timedelta(seconds=lifetime))

    @cached_property
    def _client(self) -> httpx.Client:
        from shared.gateway.transport import build_client

        return build_client(self._transport)


def _away() -> Transient:
    message = "Whether the token is good cannot be said now: its issuer does not answer. Try again."
    return Transient(message, retry_after_seconds=AGAIN_SECONDS)


def _lifetime(headers: Mapping[str, str]) -> float:
    """How many seconds a page is good for: RFC 9111's max-age, less the age that it came with."""
    found = _MAX_AGE.search(headers.get("Cache-Control", "").lower())
    age = headers.get("Age", "")
    left = float(found[1]) - (float(age) if re.fullmatch(r"\d{1,9}", age) else 0.0) if found else DEFAULT_SECONDS
    return min(max(left, LEAST_SECONDS), MOST_SECONDS)


def _keys(page: bytes) -> dict[str, Any]:
    """The page's keys by id; what is no RSA key for signatures, or a weak one, is left out. Raises Transient."""
    import jwt
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey

    try:
        found = jwt.PyJWKSet.from_json(page.decode()).keys
    except (ValueError, TypeError, AttributeError, RecursionError, jwt.PyJWTError) as error:
        raise Transient("The keys' address answered no JSON Web Key Set.") from error
    signing = [one for one in found if one.public_key_use in (None, "sig") and one.algorithm_name == "RS256"]
    keys = {one.key_id: one.key for one in signing if one.key_id and isinstance(one.key, RSAPublicKey)}
    return {kid: key for kid, key in keys.items() if key.key_size >= KEY_BITS}
