"""What every request must satisfy before anything looks at it: a loopback name, our own origin, a bounded body."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from infra.local.front.chunks import BadChunks

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
OUR_SITE = frozenset({"same-origin", "none"})
READING = frozenset({"GET", "HEAD", "OPTIONS"})
REQUEST_BYTES = 32 * 1024 * 1024
LENGTH_DIGITS = 20
"""More are no length of anything; and Python refuses to read numbers of thousands of digits."""


class Refused(Exception):
    """A request that is answered with `status`, such as "403 Forbidden", and the message."""

    def __init__(self, status: str, message: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message


def check_host(environ: WSGIEnvironment) -> None:
    """Refuse a Host that is no loopback name: a page elsewhere may have made its own name point here."""
    if _name(f"//{environ.get('HTTP_HOST', '')}") not in LOOPBACK_NAMES:
        raise Refused("403 Forbidden", "This server answers to localhost and 127.0.0.1 only.")


def check_origin(environ: WSGIEnvironment) -> None:
    """Refuse what a page of another origin sends; functions decide that for themselves, the services never allow it."""
    origin = environ.get("HTTP_ORIGIN")
    if origin is not None and origin != f"http://{environ.get('HTTP_HOST', '')}":
        raise Refused("403 Forbidden", f"Requests of pages from {origin} are not accepted here.")
    site = environ.get("HTTP_SEC_FETCH_SITE", "none")  # browsers say it even where they leave the origin out
    if site not in OUR_SITE and environ["REQUEST_METHOD"] not in READING:
        raise Refused("403 Forbidden", f"Requests of {site} pages change nothing here.")


def check_size(environ: WSGIEnvironment) -> None:
    """Refuse a body whose declared length is over 32 MB."""
    declared = environ.get("CONTENT_LENGTH") or "0"
    if not (declared.isascii() and declared.isdecimal()) or len(declared) > LENGTH_DIGITS:
        raise Refused("400 Bad Request", "Content-Length is not a number of bytes.")
    if int(declared) > REQUEST_BYTES:
        raise Refused("413 Content Too Large", "A request may have 32 MB.")


def read_body(environ: WSGIEnvironment) -> bytes:
    """The whole body, whether its length was declared or it came in chunks.

    Raises Refused when it is over 32 MB, malformed, or ends before its time.
    """
    check_size(environ)
    if environ.get("wsgi.input_terminated"):
        return _chunked(environ)
    length = int(environ.get("CONTENT_LENGTH") or 0)
    body = bytes(environ["wsgi.input"].read(length))
    if len(body) < length:
        raise Refused("400 Bad Request", "The body is shorter than its Content-Length.")
    return body


def _chunked(environ: WSGIEnvironment) -> bytes:
    try:
        body = bytes(environ["wsgi.input"].read(REQUEST_BYTES + 1))
    except BadChunks as error:
        raise Refused("400 Bad Request", str(error.description)) from error
    if len(body) > REQUEST_BYTES:
        raise Refused("413 Content Too Large", "A request may have 32 MB.")
    return body


def answer(start_response: StartResponse, status: str, message: str) -> Iterable[bytes]:
    """An error in the form that Google's front ends use."""
    code = int(status.split(" ", 1)[0])
    name = status.split(" ", 1)[1].upper().replace(" ", "_")
    body = json.dumps({"error": {"code": code, "message": message, "status": name}}).encode()
    start_response(status, [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
    return [body]


def _name(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None
