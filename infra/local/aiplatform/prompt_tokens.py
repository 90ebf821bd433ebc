"""What a request to a model counts in tokens."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from infra.local.aiplatform.usage import tokens


def prompt_tokens(body: Mapping[str, Any]) -> int:
    """Of the conversation, the system instruction and the tools."""
    given = [*(body.get("contents") or ()), body.get("systemInstruction") or {}]
    parts = [part for content in given for part in content.get("parts", ())]
    return tokens(made_of(parts)) + (tokens(json.dumps(body["tools"])) if body.get("tools") else 0)


def made_of(parts: Iterable[Mapping[str, Any]]) -> str:
    """All that counts as tokens in these parts."""
    return "".join(str(part.get("text") or json.dumps(part, ensure_ascii=False)) for part in parts)
