"""The frames of a run's stream: what each carries, whatever it tells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared.contracts.events import EventType
from shared.contracts.runs import AgentRun, RunStep
from shared.store.event_size import cut_text
from shared.store.streams import EventDraft

_TITLE_BYTES = 300


def of_run(kind: str, run: AgentRun, status: str, *, terminal: bool = False, **data: Any) -> EventDraft:
    """A frame of the run as a whole."""
    frame = {"run_id": run.id, "step_id": None, "parent_step_id": None, "title": title_of(run.goal), "status": status}
    return EventDraft(kind, {**frame, **data}, terminal)


def of_step(kind: str, step: RunStep, status: str, **data: Any) -> EventDraft:
    """A frame of one step."""
    return EventDraft(kind, {**about(step), "status": status, **data})


def told(step: RunStep, message: str) -> EventDraft:
    """A status frame: something to know about a step that changes nothing of it."""
    return of_step(EventType.STATUS, step, step.status.value, message=message)


def about(step: RunStep) -> Mapping[str, Any]:
    """What names a step in each of its frames."""
    return {
        "run_id": step.run_id,
        "step_id": step.id,
        "parent_step_id": step.parent_step_id,
        "title": step.title,
        "index": step.index,
        "kind": step.kind.value,
    }


def title_of(goal: str) -> str:
    """The goal on one line, cut."""
    return cut_text(" ".join(goal.split()), _TITLE_BYTES)
