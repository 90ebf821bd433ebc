"""What the head of a request may hold, and how its target is written: the rest of the front takes it at its word."""

from __future__ import annotations

import re
from email.errors import FirstHeaderLineIsContinuationDefect, InvalidHeaderDefect, MissingHeaderBodySeparatorDefect
from email.message import Message
from urllib.parse import urlsplit

_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_CONTROLS = re.compile(rb"[\x00-\x1f\x7f]")
_BAD_VALUE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\n(?![ \t])|\r(?!\n[ \t])")
_BROKEN = FirstHeaderLineIsContinuationDefect, InvalidHeaderDefect, MissingHeaderBodySeparatorDefect
"""After a line that is no header Python's parser reads no more of them, a Content-Length neither."""
_HIGH = re.compile(rb"[\x80-\xff]")


class BadHead(ValueError):
    """A head that no request may have; the message says what is wrong with it."""


def clean_line(raw: bytes) -> bytes:
    """The request line, bytes beyond ASCII percent-encoded in its target as browsers do it. Raises BadHead."""
    line = raw.rstrip(b"\r\n")
    if _CONTROLS.search(line):
        raise BadHead("The request line has a control character.")
    method, space, rest = line.partition(b" ")
    if not _TOKEN.fullmatch(method.decode("latin-1")):
        raise BadHead("The method is not a token.")
    return method + space + _HIGH.sub(_encoded, rest) + raw[len(line) :]


def check_head(target: str, headers: Message) -> None:
    """Refuse a target that is no path and no URL, and headers that could not be passed on. Raises BadHead."""
    try:
        parts = urlsplit(target)
    except ValueError as error:
        raise BadHead(f"The target is not a URL: {error}.") from error
    if not target.startswith("/") and not (parts.scheme in ("http", "https") and parts.netloc):
        raise BadHead("The target must be a path or an http URL.")
    if any(isinstance(defect, _BROKEN) for defect in headers.defects):
        raise BadHead("A line of the head is no header.")
    for name, value in headers.items():
        if not _TOKEN.fullmatch(name):
            raise BadHead("A header's name is not a token.")
        if _BAD_VALUE.search(value):
            raise BadHead(f"The header {name} has a control character.")


def _encoded(match: re.Match[bytes]) -> bytes:
    return b"%%%02X" % match[0][0]
