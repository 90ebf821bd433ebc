"""What every edge does around a request: who serves it is known within, and its spans are sent when it ends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from shared.telemetry import context, spans
from shared.telemetry.spans import Kind, Span

_W3C = re.compile(r"00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")
_GOOGLES = re.compile(r"(?P<trace>[0-9a-f]{32})/(?P<span>[0-9]{1,20})(?:;.*)?")
_SPANS = 2**64


class Headers(Protocol):
    """Request headers, whatever the case of their names."""

    def get(self, key: str, /) -> str | None:
        """The value of a header."""


@contextmanager
def serving(function: str, headers: Headers) -> Iterator[None]:
    """Around a whole request: logs within say which function it is, and are a part of the caller's trace."""
    with context.working(function=function, traceparent=_sent(headers)):
        yield


@contextmanager
def traced(name: str, kind: Kind = "server", *, parent: object = None) -> Iterator[Span]:
    """A request's first span, below `parent` if that is a W3C traceparent, else below what the caller sent."""
    above = valid(parent) or context.current().get("traceparent", "")
    with spans.rooted(name, kind, parent=above) as span:
        context.learn(traceparent=spans.traceparent())
        try:
            yield span
        finally:
            span.set({f"memex.{name}": value for name, value in context.told().items()})


def valid(traceparent: object) -> str:
    """It, if it is a W3C traceparent; else ""."""
    return traceparent if isinstance(traceparent, str) and _W3C.fullmatch(traceparent) else ""


def _sent(headers: Headers) -> str:
    """By W3C; of an old sender Google's own header, as W3C has it."""
    found = valid(headers.get("traceparent"))
    googles = _GOOGLES.fullmatch(headers.get("X-Cloud-Trace-Context") or "")
    if found or googles is None:
        return found
    return f"00-{googles['trace']}-{int(googles['span']) % _SPANS:016x}-00"
