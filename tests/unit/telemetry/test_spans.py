"""Spans cost nothing where nobody wants them, and are sent before a request is answered where somebody does."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from shared.errors import Transient
from shared.store.traces import traced as traced_writes
from shared.store.writes import create, delete, put, update
from shared.telemetry import genai, spans
from shared.telemetry.context import learn, working
from shared.telemetry.serving import serving, traced

PARENT = f"00-{'a' * 32}-{'b' * 16}-00"


@pytest.fixture
def exporter() -> Iterator[InMemorySpanExporter]:
    found = InMemorySpanExporter()
    spans.export_to(found)
    yield found
    spans.export_to(None)


def test_without_an_exporter_not_even_the_sdk_is_loaded() -> None:
    script = (
        "import sys; from shared.telemetry import genai, spans, starting\n"
        "starting.start(project='p', service='', json_logs=False, otlp_endpoint='', otlp_headers={})\n"
        "with spans.rooted('r', 'server'), genai.tool_call('t', '1'): assert spans.traceparent() == ''\n"
        "assert not [name for name in sys.modules if name.startswith('opentelemetry')]"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


def test_a_request_is_sent_whole_when_it_ends_and_goes_on_with_the_caller_s_trace(
    exporter: InMemorySpanExporter,
) -> None:
    with serving("research", {"traceparent": PARENT}), traced("research/poll"):
        learn(workspace="demo", operation_id="op_1")
        with genai.tool_call("search_notes", "call-1"):
            assert spans.traceparent().startswith(f"00-{'a' * 32}-")
        assert exporter.get_finished_spans() == ()
    tool, request = exporter.get_finished_spans()
    assert request.parent is not None and f"{request.parent.span_id:016x}" == "b" * 16
    assert tool.parent is not None and request.context is not None
    assert tool.parent.span_id == request.context.span_id
    assert dict(request.attributes or {})["memex.operation_id"] == "op_1"


def test_a_document_s_trace_goes_before_the_one_of_the_delivery(exporter: InMemorySpanExporter) -> None:
    with serving("enrich", {"traceparent": PARENT}), traced("enrich", parent=f"00-{'c' * 32}-{'d' * 16}-01"):
        pass
    with serving("enrich", {"traceparent": PARENT}), traced("enrich", parent={"no": "trace"}):
        pass
    found = [f"{span.context.trace_id:032x}" for span in exporter.get_finished_spans() if span.context is not None]
    assert found == ["c" * 32, "a" * 32]


def test_a_failure_is_marked_by_its_code_and_its_message_is_not_told(exporter: InMemorySpanExporter) -> None:
    with pytest.raises(Transient), spans.rooted("work", "internal"):
        raise Transient("the note says something private")
    (span,) = exporter.get_finished_spans()
    assert dict(span.attributes or {})["error.type"] == "unavailable" and not span.status.is_ok
    assert "private" not in span.to_json() and span.events == ()


def test_an_exporter_that_is_away_takes_nothing_with_it() -> None:
    asked: list[str] = []

    class Away(SpanExporter):
        def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
            asked.extend(span.name for span in spans)
            return SpanExportResult.FAILURE

    spans.export_to(Away())
    try:
        with spans.rooted("work", "internal"):
            pass
    finally:
        spans.export_to(None)
    assert asked == ["work"]


def test_what_triggers_hear_of_says_in_which_trace_it_was_written(exporter: InMemorySpanExporter) -> None:
    writes = [
        create("operations/op", {}),
        create("operations/op/events/1", {}),
        create("chat_sessions/s/turns/t", {}),
        create("agent_runs/r", {}),
        update("notes/n", {"title": "x"}),
        put("notes/n", {}),
        update("operations/op", {}),
        delete("notes/n"),
        create("tasks/t", {}),
        update("", {}),
    ]
    assert list(traced_writes(writes)) == writes, "outside of a span nothing is written"
    with working(workspace="demo"), spans.rooted("r", "server"):
        here = spans.traceparent()
        marked = [write.fields.get("traceparent") == here for write in traced_writes(writes)]
    assert marked == [True] * 6 + [False] * 4
