"""The server-sent events of a run, derived from its plan: the same at every reading, so a stream can be resumed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from infra.local.aiplatform.plan import CLOSING, TimedStep
from infra.local.aiplatform.record import Record

DONE = "event: done\ndata: [DONE]\n\n"
_CHUNK = 400  # characters of text in one delta


@dataclass(frozen=True)
class Frame:
    """One event, due `at` seconds after the run was created."""

    at: float
    payload: Mapping[str, Any]

    @property
    def event_id(self) -> str:
        return str(self.payload["event_id"])

    @property
    def closes(self) -> bool:
        return bool(self.payload["event_type"] == "interaction.completed")

    def text(self) -> str:
        body = json.dumps(self.payload, ensure_ascii=False)
        return f"event: {self.payload['event_type']}\ndata: {body}\n\n"


def frames_of(record: Record) -> list[Frame]:
    """Every event of the run in order; a cancelled run's list is cut where it was cancelled."""
    cut = record.cancelled_at
    due: list[tuple[float, int, dict[str, Any]]] = [(0.0, 0, _created(record))]
    for index, timed in enumerate(record.plan.steps):
        due += [(at, 2, payload) for at, payload in _step_events(index, timed)]
    due += [(at, rank, payload) for at, rank, payload in _status_events(record)]
    if cut is not None:
        due = [event for event in due if event[0] <= cut and event[2]["event_type"] != "interaction.completed"]
        due.append((cut, 3, _status_update(record, "cancelled")))
        due.append((cut, 4, _completed(record, cut)))
    due.sort(key=lambda event: event[:2])  # stable: steps keep their order
    return [Frame(at, {**payload, "event_id": f"evt_{n:06d}"}) for n, (at, _rank, payload) in enumerate(_whole(due))]


def _whole(due: list[tuple[float, int, dict[str, Any]]]) -> Iterator[tuple[float, int, dict[str, Any]]]:
    """The events up to the first one that closes the stream."""
    for event in due:
        yield event
        if event[2]["event_type"] == "interaction.completed":
            return


def _created(record: Record) -> dict[str, Any]:
    interaction = {"id": record.id, "object": "interaction", "status": record.plan.status_at(0.0), **record.maker}
    return {"event_type": "interaction.created", "interaction": interaction}


def _status_events(record: Record) -> Iterator[tuple[float, int, dict[str, Any]]]:
    for timed in record.plan.statuses:
        closing = timed.status in CLOSING
        yield timed.at, 3 if closing else 1, _status_update(record, timed.status)
        if timed.status == "failed":
            for error in record.plan.errors:
                yield timed.at, 3, {"event_type": "error", "error": dict(error)}
        if closing:
            yield timed.at, 4, _completed(record, timed.at)


def _status_update(record: Record, status: str) -> dict[str, Any]:
    return {"event_type": "interaction.status_update", "interaction_id": record.id, "status": status}


def _completed(record: Record, at: float) -> dict[str, Any]:
    return {"event_type": "interaction.completed", "interaction": record.resource(at, with_steps=False)}


def _step_events(index: int, timed: TimedStep) -> Iterator[tuple[float, dict[str, Any]]]:
    """step.start, its deltas and step.stop, evenly over the time the step takes."""
    opening, deltas = _deltas(timed.step)
    yield timed.start, {"event_type": "step.start", "index": index, "step": opening}
    pace = (timed.end - timed.start) / (len(deltas) + 1)
    for n, delta in enumerate(deltas, start=1):
        yield round(timed.start + n * pace, 6), {"event_type": "step.delta", "index": index, "delta": delta}
    yield timed.end, {"event_type": "step.stop", "index": index}


def _deltas(step: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[dict[str, Any]]]:
    """What step.start shows of a step, and the deltas that bring the rest."""
    kind = step.get("type")
    if kind == "model_output":
        return {"type": kind}, [delta for content in step.get("content", ()) for delta in _content_deltas(content)]
    if kind == "thought":
        deltas: list[dict[str, Any]] = [
            {"type": "thought_summary", "content": part} for part in step.get("summary") or ()
        ]
        if step.get("signature"):
            deltas.append({"type": "thought_signature", "signature": step["signature"]})
        return {"type": kind}, deltas
    if kind == "google_search_call":
        opening = {**step, "arguments": {"queries": []}}
        return opening, [{"type": kind, "arguments": step["arguments"]}]
    return step, []  # every other step comes whole with its start


def _content_deltas(content: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    if content.get("type") != "text":
        yield dict(content)
        return
    text = str(content.get("text", ""))
    bounds = [*range(0, len(text), _CHUNK), len(text)]
    yield from ({"type": "text", "text": text[start:end]} for start, end in pairwise(bounds))
    if content.get("annotations"):
        yield {"type": "text_annotation_delta", "annotations": content["annotations"]}
