"""A plan out of a script: what it says goes, the rest is as the agent would do it."""

from __future__ import annotations

import json
from typing import Any

from infra.local.aiplatform.plan import CLOSING, Plan, TimedStatus, spread
from infra.local.aiplatform.research import Task, steps_of
from infra.local.aiplatform.script import Script


def plan_scripted(script: Script, task: Task, base: str) -> Plan:
    """`base` is the server's address, put in place of "{base}" in the steps."""
    seconds = task.run_seconds if script.run_seconds is None else script.run_seconds
    statuses = _statuses(script, seconds)
    end = next((timed.at for timed in statuses if timed.status in CLOSING), seconds)
    steps: list[Any] = steps_of(task)
    if script.steps is not None:
        steps = json.loads(json.dumps(script.steps).replace("{base}", base))
    return Plan(
        statuses=statuses,
        steps=spread(steps, 0.0, end),
        errors=script.errors,
        raw_frames=script.raw_frames,
        stream_seconds=600.0 if script.stream_seconds is None else script.stream_seconds,
        hold=script.hold,
    )


def _statuses(script: Script, seconds: float) -> tuple[TimedStatus, ...]:
    if script.statuses:
        return tuple(TimedStatus(at, status) for at, status in script.statuses)
    last = "failed" if script.errors else "completed"
    return TimedStatus(0.0, "in_progress"), TimedStatus(seconds, last)
