"""The SDK of OpenTelemetry, loaded where an exporter is set: spans are kept until their request ends, then sent.

An instance has no processor time once its request is answered, so nothing is left to a thread in the background.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SpanExporter
from opentelemetry.sdk.trace.sampling import ALWAYS_ON
from opentelemetry.trace import SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from shared.telemetry.spans import Attributes, Kind, Span

MOST = 2_000
"""Spans kept at once; beyond that the newest are dropped."""
_KINDS = {
    "server": SpanKind.SERVER,
    "client": SpanKind.CLIENT,
    "internal": SpanKind.INTERNAL,
    "producer": SpanKind.PRODUCER,
    "consumer": SpanKind.CONSUMER,
}
_W3C = TraceContextTextMapPropagator()


class Tracing:
    """Everything is sampled: the flag that Google's front end sends says no for nearly all requests."""

    def __init__(self, exporter: SpanExporter, service: str) -> None:
        self._kept = _Kept(exporter)
        resource = Resource.create({"service.name": service, "service.namespace": "memex"})
        provider = TracerProvider(sampler=ALWAYS_ON, resource=resource, shutdown_on_exit=False)
        provider.add_span_processor(self._kept)
        self._tracer = provider.get_tracer("memex")

    @contextmanager
    def span(self, name: str, kind: Kind, attributes: Attributes, parent: str, *, current: bool) -> Iterator[Span]:
        above = _W3C.extract({"traceparent": parent}, Context()) if parent else None
        started = self._tracer.start_span(name, context=above, kind=_KINDS[kind], attributes=dict(attributes))
        recorded = _Recorded(started)
        try:
            # An exception is not recorded: its message may quote what nobody else should read.
            quiet = {"record_exception": False, "set_status_on_exception": False}
            with trace.use_span(started, **quiet) if current else nullcontext():
                yield recorded
        except Exception as error:
            recorded.failed(str(getattr(error, "code", type(error).__name__)))
            raise
        finally:
            started.end()

    def traceparent(self) -> str:
        carrier: dict[str, str] = {}
        _W3C.inject(carrier)
        return carrier.get("traceparent", "")

    def flush(self) -> None:
        self._kept.send()


class _Recorded(Span):
    def __init__(self, span: trace.Span) -> None:
        self._span = span

    def set(self, attributes: Attributes) -> None:
        self._span.set_attributes(dict(attributes))

    def rename(self, name: str) -> None:
        self._span.update_name(name)

    def failed(self, kind: str) -> None:
        self._span.set_attribute("error.type", kind)
        self._span.set_status(StatusCode.ERROR)


class _Kept(SpanProcessor):
    """Ended spans, until they are sent by the thread that asks for it."""

    def __init__(self, exporter: SpanExporter) -> None:
        self._exporter = exporter
        self._lock = threading.Lock()
        self._spans: list[ReadableSpan] = []

    def on_end(self, span: ReadableSpan) -> None:
        with self._lock:
            if len(self._spans) < MOST:
                self._spans.append(span)

    def send(self) -> None:
        with self._lock:
            ended, self._spans = self._spans, []
        if ended:
            self._exporter.export(ended)  # says by its result whether it could, and logs why not
