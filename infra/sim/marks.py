"""Marks: that a thing did happen. A run of many seeds in which one never happens has shown less than it seems to."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from infra.sim.observed import Observed
from infra.sim.scenario import Scenario
from infra.sim.weather import KINDS, Weather
from shared.errors import Conflict, Transient
from shared.research import opening, triggering
from shared.store import guards, streams

EXPECTED = (
    *(f"fault: {kind}" for kind in KINDS),
    "reclaimed",
    "relaunched",
    "fenced out",
    "refused after the end",
    "suppressed duplicate",
    "told to the running operation",
    "lost answer recognised",
    "orphan cancelled",
    "reaped",
    "launched by the sweep",
    "relaunched by the sweep",
    "opened by the sweep",
    "superseded execution",
    "create tried again",
    "create lost twice",
    "run failed and was made again",
    "report",
    "partial at the deadline",
    "cancelled by a person",
    "cancelled for lack of the tag",
    "given up by the workflow",
    "old code wrote after new",
    "previous workflow under new code",
    "resumed",
    "resumed mid-frame",
    "foreign id refused",
    "woken",
    "told before anybody listened",
    "webhook refused",
    "webhook lost",
)
_SWEPT = {
    "stopped": "reaped",
    "launched": "launched by the sweep",
    "relaunched": "relaunched by the sweep",
    "opened": "opened by the sweep",
}


def of_the_end(observed: Observed, weather: Weather, scenario: Scenario) -> Counter[str]:
    """The marks that the end of a world shows."""
    marks: Counter[str] = Counter(f"fault: {fault.kind}" for fault in weather.faults)
    if "skew" in weather.kinds:
        marks["fault: skew"] += 1
    for seen in observed.operations.values():
        fields = seen.fields
        code = (fields.get("error") or {}).get("code", "")
        events = observed.events[f"operations/{seen.id}"]
        last = events[-1]["data"].get("code") if events else None
        reasons = [attempt["reason"] for attempt in fields.get("interactions", ())]
        marks["create tried again"] += reasons.count("lost_answer")
        marks["run failed and was made again"] += reasons.count("report_phase_failure")
        marks["report"] += fields["status"] == "completed"
        marks["create lost twice"] += code == "create_lost"
        marks["partial at the deadline"] += code == "deadline" and bool(fields.get("result_note_id"))
        marks["given up by the workflow"] += code == "workflow_failed"
        marks["cancelled by a person"] += last == "requested"
        marks["cancelled for lack of the tag"] += last in ("untagged", "note_gone")
    marks["webhook lost"] += sum(
        each["state"] == "lost" for each in scenario.world.services.aiplatform.webhooks.deliveries()
    )
    for follower in scenario.followers:
        marks.update(follower.marks)
    return marks


class _Log(logging.Handler):
    """Errors with a traceback are failures; a few warnings are marks."""

    def __init__(self, observed: Observed) -> None:
        super().__init__(logging.WARNING)
        self._observed = observed

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        error = record.exc_info[1] if record.exc_info else None
        if record.exc_info and record.levelno >= logging.ERROR and not isinstance(error, Transient):
            self._observed.errors.append(f"unexpected: {record.name}: {text}: {error!r} {_place(error)}")
        elif "that came too late" in text:
            self._observed.marks["orphan cancelled"] += 1


def _place(error: BaseException | None) -> str:
    """The innermost line of ours in a traceback."""
    trace, found = error.__traceback__ if error else None, ""
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if "/shared/" in name or "/infra/" in name or "/functions/" in name:
            found = f"at {'/'.join(name.split('/')[-3:])}:{trace.tb_lineno}"
        trace = trace.tb_next
    return found


@contextmanager
def watched(observed: Observed) -> Iterator[None]:
    """Inside, the product's own refusals are counted."""
    handler = _Log(observed)
    root = logging.getLogger()
    kept = root.handlers[:]
    root.handlers[:] = [handler]
    counted: Callable[..., Any] = lambda function, mark: _counting(function, observed, mark)  # noqa: E731
    try:
        with (
            patch.object(guards, "fenced", counted(guards.fenced, "fenced out")),
            patch.object(guards, "running", counted(guards.running, "refused after the end")),
            patch.object(triggering, "open_operation", _opened(opening.open_operation, observed)),
            patch.object(streams._Writer, "applied", _recognised(streams._Writer.applied, observed)),
        ):
            yield
    finally:
        root.handlers[:] = kept


def swept(observed: Observed, body: bytes) -> None:
    """The marks of a sweep's answer."""
    answer = json.loads(body)
    for name, mark in _SWEPT.items():
        observed.marks[mark] += answer.get(name, 0)


def polled(observed: Observed, body: bytes) -> None:
    """The marks of an answer to the workflow."""
    if json.loads(body).get("status") == "superseded":
        observed.marks["superseded execution"] += 1


def _counting(function: Callable[..., Any], observed: Observed, mark: str) -> Callable[..., Any]:
    def counting(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except Conflict:
            observed.marks[mark] += 1
            raise

    return counting


def _opened(function: Callable[..., Any], observed: Observed) -> Callable[..., Any]:
    def opened(*arguments: Any) -> Any:
        answer = function(*arguments)
        if answer is None:
            observed.marks["suppressed duplicate"] += 1
        elif not answer.new:
            observed.marks["told to the running operation"] += 1
        return answer

    return opened


def _recognised(function: Callable[..., Any], observed: Observed) -> Callable[..., Any]:
    def recognised(*arguments: Any) -> Any:
        answer = function(*arguments)
        if answer is not None:
            observed.marks["lost answer recognised"] += 1
        return answer

    return recognised
