"""Resolving the redirect links of grounded answers: they expire, so a report must keep where they lead.

Only known hosts are asked and only the Location header is read; no target is fetched.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from urllib.parse import urljoin, urlsplit

import httpx

from shared.gateway.transport import Request, TransportError, exchange

_LINK_SECONDS = 5.0
_TOTAL_SECONDS = 20.0
_PARALLEL = 6
_LINKS = 500
_HOPS = 3
_URL_CHARACTERS = 4_000
_PATH = "/grounding-api-redirect/"
_NO_HEAD = (400, 403, 405, 501)


class Redirects:
    """`hosts` are host names, with a port where it is not the scheme's own."""

    def __init__(self, client: httpx.Client, hosts: Iterable[str]) -> None:
        self._client = client
        self._hosts = frozenset(host.strip().lower() for host in hosts if host.strip())

    def is_redirect(self, url: str) -> bool:
        """Whether the link is one of those that are to be resolved."""
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            return False
        host = f"{parts.hostname}:{port}" if port else parts.hostname
        plain = parts.scheme in ("http", "https") and "@" not in parts.netloc
        return plain and host in self._hosts and parts.path.startswith(_PATH)

    def resolve(self, urls: Iterable[str]) -> Mapping[str, str]:
        """Where each of those redirect links leads; links that could not be followed in time are absent.

        Asks in parallel, each link once; takes 20 s at most. Never raises.
        """
        wanted = [url for url in dict.fromkeys(urls) if self.is_redirect(url)][:_LINKS]
        if not wanted:
            return {}
        over = threading.Event()
        pool = ThreadPoolExecutor(max_workers=_PARALLEL, thread_name_prefix="redirect")
        try:
            asked = {url: pool.submit(self._follow, url, over) for url in wanted}
            wait(asked.values(), timeout=_TOTAL_SECONDS)
            return {url: target for url, future in asked.items() if (target := _result(future))}
        finally:
            over.set()
            pool.shutdown(wait=False, cancel_futures=True)

    def _follow(self, url: str, over: threading.Event) -> str:
        target = url
        for _ in range(_HOPS):
            if over.is_set():
                return ""
            target = self._location(target)
            if not self.is_redirect(target):
                return target
        return ""

    def _location(self, url: str) -> str:
        """The absolute web address in the Location header, "" when there is none."""
        for method in ("HEAD", "GET"):
            try:
                with exchange(self._client, Request(method, url), deadline_seconds=_LINK_SECONDS) as answer:
                    status, location = answer.status, answer.headers.get("location", "")
            except TransportError:
                return ""
            if 300 <= status < 400:
                return _web_address(urljoin(url, location)) if location else ""
            if status not in _NO_HEAD:
                return ""
        return ""


def _result(future: Future[str]) -> str:
    return future.result() if future.done() and not future.cancelled() else ""


def _web_address(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    sound = parts.scheme in ("http", "https") and parts.hostname and "@" not in parts.netloc
    return url if sound and url.isprintable() and " " not in url and len(url) <= _URL_CHARACTERS else ""
