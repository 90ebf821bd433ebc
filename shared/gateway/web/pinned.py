"""The transport that connects to an address which was checked, and speaks to the name that was asked for."""

from __future__ import annotations

import httpx

LOCATION = "memex-location"
"""The header that Location is moved to: httpx would read it, by its own rules, even where it follows none."""


class Pinned(httpx.BaseTransport):
    """Sends through `inner` to the IP address `ip`: it is not resolved again.

    Host, SNI and the certificate stay those of the request's own host. `connect_seconds` bounds the TCP connection and
    the TLS handshake, each: a socket in a handshake cannot be shut from outside.
    """

    def __init__(self, inner: httpx.BaseTransport, ip: str, connect_seconds: float) -> None:
        self._inner, self._ip, self._seconds = inner, ip, connect_seconds

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        asked = request.url
        timeout = {"connect": self._seconds, "read": None, "write": None, "pool": self._seconds}
        request.extensions = {**request.extensions, "sni_hostname": asked.host, "timeout": timeout}
        request.url = asked.copy_with(host=self._ip)
        try:
            response = self._inner.handle_request(request)
        finally:
            request.url = asked  # what is said of it, is said of the name
        response.headers[LOCATION] = response.headers.pop("location", "")
        return response
