"""The emulated research agent: reads the notes in its prompt and plans a run that ends with a report on them."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from infra.local.aiplatform.image import bars_png
from infra.local.aiplatform.plan import Plan, Step, TimedStatus, spread
from infra.local.aiplatform.planning import SHARE, is_planning, plan_text
from infra.local.aiplatform.prompt import parse_prompt, text_of
from infra.local.aiplatform.report import Report, write_report

NOT_STREAMED = {"code": "13", "message": "Internal error encountered while generating the report."}
NOTHING_TO_CITE = {
    "code": "9",
    "message": "The model is emulated here and writes from your other notes alone, and none of them bears on this one. "
    "Write down what you know of it first, or run Memex with GEMINI_API_KEY.",
}


@dataclass(frozen=True)
class Task:
    """One create request for the agent; `earlier` are the inputs of the interactions it follows on."""

    body: Mapping[str, Any]
    run_seconds: float
    earlier: str = ""


def plan_research(task: Task) -> Plan:
    """The run for a request; short, and without a report, for one that asks for a plan.

    One that was not asked for as a stream is accepted and fails with code 13, as observed.

    One whose notes do not bear on the topic fails too, rather than ending with a report that has nothing in it.
    """
    if is_planning(task.body):
        seconds = task.run_seconds * SHARE
        statuses = (TimedStatus(0.0, "in_progress"), TimedStatus(seconds, "completed"))
        return Plan(statuses, spread(_planning(task), 0.0, seconds))
    report = _report(task)
    steps = _steps(report, task)
    if not task.body.get("stream"):
        return _failing(steps, task.run_seconds, NOT_STREAMED)
    if not any(part.annotations for part in report.parts):
        return _failing(steps, task.run_seconds, NOTHING_TO_CITE)
    statuses = (TimedStatus(0.0, "in_progress"), TimedStatus(task.run_seconds, "completed"))
    return Plan(statuses, spread(steps, 0.0, task.run_seconds))


def steps_of(task: Task) -> list[Step]:
    """What the agent would do, its text included, whatever there is to write from."""
    return _planning(task) if is_planning(task.body) else _steps(_report(task), task)


def _planning(task: Task) -> list[Step]:
    thinking = (task.body.get("agent_config") or {}).get("thinking_summaries") == "auto"
    text = plan_text(task.body.get("input"), task.earlier)
    output = {"type": "model_output", "content": [{"type": "text", "text": text}]}
    return [_thought("Thinking about how to go about it.", thinking), output]


def _report(task: Task) -> Report:
    return write_report(parse_prompt(f"{text_of(task.body.get('input'))}\n{task.earlier}"))


def _failing(steps: list[Step], seconds: float, error: Mapping[str, str]) -> Plan:
    """A run that ends failed without a word of its report."""
    made = [step for step in steps if step["type"] != "model_output"]
    statuses = (TimedStatus(0.0, "in_progress"), TimedStatus(seconds, "failed"))
    return Plan(statuses, spread(made, 0.0, seconds), (error,))


def _steps(report: Report, task: Task) -> list[Step]:
    """Searches, then the parts of the report with a thought before each and an image after some."""
    config = task.body.get("agent_config") or {}
    thinking, images = config.get("thinking_summaries") == "auto", config.get("visualization", "auto") == "auto"
    steps: list[Step] = [_thought(f"Planning the research. {report.approach}", thinking)]
    for n, query in enumerate(report.queries, start=1):
        call = f"search_{n}"
        arguments = {"queries": [query]}
        steps.append({"type": "google_search_call", "id": call, "arguments": arguments, "signature": _sign(query)})
        result = {"type": "google_search_result", "call_id": call, "result": [], "signature": _sign(call + query)}
        steps.append(result)
        steps.append(_thought(f"Reading what the notes say about: {query}", thinking))
    for n, part in enumerate(report.parts):
        if n:
            steps.append(_thought(f"Writing the next part: {part.label}", thinking))
        text: dict[str, Any] = {"type": "text", "text": part.text}
        if part.annotations:
            text["annotations"] = [dict(annotation) for annotation in part.annotations]
        steps.append({"type": "model_output", "content": [text]})
        if images and part.annotations and n:
            image = {"type": "image", "mime_type": "image/png", "data": _chart(report, n)}
            steps.append({"type": "model_output", "content": [image]})
    return steps


def _thought(summary: str, shown: bool) -> Step:
    thought: dict[str, Any] = {"type": "thought", "signature": _sign(summary)}
    if shown:
        thought["summary"] = [{"type": "text", "text": summary}]
    return thought


def _sign(text: str) -> str:
    """An opaque signature, the same for the same text."""
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _chart(report: Report, n: int) -> str:
    heights = [len(part.annotations) for part in report.parts]
    return base64.b64encode(bars_png(heights, highlighted=n)).decode()
