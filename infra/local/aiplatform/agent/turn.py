"""Which part of an agent run a request is, and what the emulated model does about it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from infra.local.aiplatform.agent.marks import piece, said
from infra.local.aiplatform.agent.planning import plan
from infra.local.aiplatform.agent.synthesis import answer
from infra.local.aiplatform.agent.working import calls_or_text

_NO_WORK = "create_note"
"""A request that offers this is a chat, not a step."""


def agent_parts(request: Mapping[str, Any], tools: Sequence[str], label: str) -> list[dict[str, Any]] | None:
    """The parts that answer a request of an agent run; None for any other request."""
    contents = request.get("contents") or [{}]
    asked = said(contents[0])
    if not piece(asked, "goal"):
        return None
    if _is_plan(request):
        return [{"text": json.dumps(plan(piece(asked, "goal")), ensure_ascii=False)}]
    if piece(asked, "task") and _NO_WORK not in tools:
        found = calls_or_text(contents, tools)
        return [{"text": found}] if isinstance(found, str) else [{"functionCall": call} for call in found]
    if "<step " in asked:
        return [{"text": answer(asked, label)}]
    return None


def _is_plan(request: Mapping[str, Any]) -> bool:
    config = request.get("generationConfig") or {}
    schema = config.get("responseJsonSchema") or config.get("responseSchema") or {}
    return "steps" in (schema.get("properties") or {})
