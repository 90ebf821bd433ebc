"""Spans of OpenTelemetry, where an exporter is set; else nothing at all: not even the SDK is loaded.

Names and attributes follow the semantic conventions, those of generative AI too (1.38, 2026). What was asked, answered
or read is never among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter

    from shared.telemetry.tracing import Tracing

Kind = Literal["server", "client", "internal", "producer", "consumer"]
Value = str | int | float | bool
Attributes = Mapping[str, Value]

_on: list[Tracing] = []


class Span:
    """A span that nobody records."""

    def set(self, attributes: Attributes) -> None:
        """What has become known of it."""

    def rename(self, name: str) -> None:
        """What it is called, once that is known."""

    def failed(self, kind: str) -> None:
        """It failed; `kind` is the code or class of the error, never its message."""


_NOBODY = Span()


def enabled() -> bool:
    """Whether anybody records."""
    return bool(_on)


def export_to(exporter: SpanExporter | None, service: str = "memex") -> None:
    """Record from now on, and send what was recorded to that exporter; None ends it."""
    _on.clear()
    if exporter is not None:
        from shared.telemetry.tracing import Tracing

        _on.append(Tracing(exporter, service))


@contextmanager
def span(
    name: str, kind: Kind = "internal", attributes: Attributes | None = None, *, parent: str = "", current: bool = True
) -> Iterator[Span]:
    """Within the block, a span below the present one, or below `parent`, a W3C traceparent. What is raised marks it.

    With `current` it is the present one within; a generator, which runs in the contexts of others, does without.
    """
    if not _on:
        yield _NOBODY
        return
    with _on[0].span(name, kind, attributes or {}, parent, current=current) as one:
        yield one


@contextmanager
def rooted(name: str, kind: Kind, attributes: Attributes | None = None, *, parent: str = "") -> Iterator[Span]:
    """`span`, as the first of its request or thread: when it ends, everything recorded is sent, for seconds at most."""
    try:
        with span(name, kind, attributes, parent=parent) as one:
            yield one
    finally:
        if _on:
            _on[0].flush()


def traceparent() -> str:
    """The present span as W3C traceparent, for whoever goes on with the work elsewhere; "" without one."""
    return _on[0].traceparent() if _on else ""
