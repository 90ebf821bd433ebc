"""An interaction with a plain model instead of an agent: answered at once, or in the background."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from infra.local.aiplatform.plan import Plan, TimedStatus, spread
from infra.local.aiplatform.prompt import text_of
from infra.local.aiplatform.rules import answer_text


def plan_model(body: Mapping[str, Any], earlier: str, run_seconds: float) -> Plan:
    """The plan for a model's answer; in the foreground it is whole the moment it is asked for."""
    seconds = run_seconds if body.get("background") else 0.0
    answer = answer_text(text_of(body.get("input")), context=earlier)
    steps = [{"type": "model_output", "content": [{"type": "text", "text": answer}]}]
    return Plan((TimedStatus(0.0, "in_progress"), TimedStatus(seconds, "completed")), spread(steps, 0.0, seconds))
