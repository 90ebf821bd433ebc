"""HTTP out of the local cloud: httpx is imported at the first call, and certificates are read once.

Both cost more than a call: 0.1 s at every start, and some 20 ms for each client that reads the certificates itself.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ssl

    import httpx


def client(timeout_seconds: float, *, follow_redirects: bool = False) -> httpx.Client:
    """A client that takes nothing from the environment; to be closed."""
    import httpx

    timeout = httpx.Timeout(timeout_seconds)
    return httpx.Client(trust_env=False, timeout=timeout, follow_redirects=follow_redirects, verify=_certificates())


@lru_cache(maxsize=1)
def _certificates() -> ssl.SSLContext:
    import httpx

    return httpx.create_ssl_context(trust_env=False)
