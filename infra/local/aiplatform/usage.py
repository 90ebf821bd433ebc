"""Tokens, estimated from lengths: about four characters a token."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from infra.local.aiplatform.prompt import text_of

_CHARACTERS = 4


def tokens(text: str) -> int:
    """How many tokens a text is taken to have; an empty one has none."""
    return -(-len(text) // _CHARACTERS)


def usage_of(given: Any, steps: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The usage object of an interaction with that input and those output steps."""
    output = thought = tool = searches = 0
    for step in steps:
        kind = str(step.get("type", ""))
        if kind == "model_output":
            output += tokens(text_of(step.get("content")))
        elif kind == "thought":
            thought += tokens(text_of(step.get("summary")))
        else:
            tool += tokens(json.dumps(step, ensure_ascii=False))
            searches += kind == "google_search_call"
    spent = tokens(text_of(given))
    usage: dict[str, Any] = {
        "total_input_tokens": spent,
        "total_output_tokens": output,
        "total_thought_tokens": thought,
        "total_tool_use_tokens": tool,
        "total_cached_tokens": 0,
        "total_tokens": spent + output + thought + tool,
    }
    if searches:
        usage["grounding_tool_count"] = [{"type": "google_search", "count": searches}]
    return usage
