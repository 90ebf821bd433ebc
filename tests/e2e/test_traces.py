"""One piece of work is one trace, from who asked for it to its last consequence, whatever carries it on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from infra.local.aiplatform.model_script import ModelScript, call, say
from shared.telemetry import spans
from tests.e2e.world import QUESTION, World

SECRET = "the crumb of my grandmother's rye"


class Trace:
    """The spans of one trace, by what they are called."""

    def __init__(self, found: list[ReadableSpan]) -> None:
        self.spans = found
        self._by_id = {span.context.span_id: span for span in found if span.context is not None}

    def named(self, name: str) -> list[ReadableSpan]:
        return [span for span in self.spans if span.name == name]

    def above(self, span: ReadableSpan) -> list[str]:
        """What it lies below, the nearest first."""
        names: list[str] = []
        while span.parent is not None and span.parent.span_id in self._by_id:
            span = self._by_id[span.parent.span_id]
            names.append(span.name)
        return names

    @property
    def roots(self) -> list[str]:
        return [span.name for span in self.spans if span.parent is None or span.parent.span_id not in self._by_id]


@pytest.fixture
def recorded(world: World) -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    world.settle()
    spans.export_to(exporter)
    yield exporter
    spans.export_to(None)


def trace_of(exporter: InMemorySpanExporter, name: str) -> Trace:
    """The one trace that has a span of this name."""
    every = list(exporter.get_finished_spans())
    traces = {span.context.trace_id for span in every if span.name == name and span.context is not None}
    assert len(traces) == 1, f"{name} is in {len(traces)} traces"
    return Trace([span for span in every if span.context is not None and span.context.trace_id in traces])


def told(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


def test_a_research_run_is_one_trace_from_the_note_to_the_fan_out(world: World, recorded: InMemorySpanExporter) -> None:
    world.write_note(QUESTION, "research", title=SECRET)
    world.until(world.finished)
    world.settle()
    trace = trace_of(recorded, "research/start")
    assert trace.roots == ["POST /api/v1/notes"]
    (start,), polls = trace.named("research/start"), trace.named("research/poll")
    assert trace.above(start) == ["on-note-written", "POST /api/v1/notes"]
    assert polls and all(trace.above(poll) == ["on-note-written", "POST /api/v1/notes"] for poll in polls)
    (agent,) = [span for span in trace.spans if span.name.startswith("invoke_agent deep-research")]
    assert trace.above(agent)[0] == "research/start" and agent.kind.name == "CLIENT"
    assert told(agent)["gen_ai.operation.name"] == "invoke_agent"
    assert told(agent)["gen_ai.provider.name"] == "gcp.gemini" and told(agent)["gen_ai.agent.name"]
    assert all("memex.operation_id" in told(span) and told(span)["memex.workspace"] == "demo" for span in polls)
    below_the_last_poll = [trace.above(span) for span in trace.named("usage-meter")]
    assert ["send trace-events", "trace-fanout", "research/poll", "on-note-written", "POST /api/v1/notes"] in (
        below_the_last_poll
    )
    report = [span for span in trace.named("on-note-written") if trace.above(span)[:1] == ["research/poll"]]
    assert report, "the report's own trigger is of the same trace"
    assert SECRET not in "".join(span.to_json() for span in trace.spans)


def test_a_chat_turn_is_one_trace_with_its_answers_and_tools(world: World, recorded: InMemorySpanExporter) -> None:
    asked = "What did I write of rye?"
    world.platform.script_model(
        ModelScript(items=(call("search_notes", query="rye"),), asks="tools", about=asked),
        ModelScript(items=(say(f"You wrote of {SECRET}."),), asks="tools", about=asked),
    )
    session = world.request("POST", "/api/v1/chat/sessions", json={})["session"]["id"]
    path, headers = f"/api/v1/chat/sessions/{session}/messages", {"Accept": "application/json"}
    turn = world.request("POST", path, json={"text": asked}, headers=headers)
    world.settle()
    assert turn["status"] == "completed"
    name = "POST /api/v1/chat/sessions/{id}/messages"
    trace = trace_of(recorded, name)
    answers = [span for span in trace.spans if told(span).get("gen_ai.operation.name") == "chat"]
    ours = [span for span in answers if trace.above(span) == ["turn", name]]
    assert len(ours) == 2 and all(span.kind.name == "CLIENT" for span in ours)
    for span in ours:
        assert told(span)["gen_ai.request.model"] and told(span)["gen_ai.response.model"]
        assert told(span)["gen_ai.usage.input_tokens"] > 0 and told(span)["gen_ai.usage.output_tokens"] > 0
    (tool,) = trace.named("execute_tool search_notes")
    assert trace.above(tool) == ["turn", name] and told(tool)["gen_ai.tool.call.id"]
    assert told(tool)["gen_ai.tool.name"] == "search_notes"
    assert SECRET not in "".join(span.to_json() for span in trace.spans) and "rye" not in "".join(
        str(told(span)) for span in trace.spans
    )
