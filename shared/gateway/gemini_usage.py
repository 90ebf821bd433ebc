"""What a generateContent request used, as Gemini tells it (usageMetadata, November 2026)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared.contracts.operations import Usage


def usage_of(told: Mapping[str, Any], *, searches: int = 0) -> Usage:
    """The usage behind an answer's usageMetadata; what is missing or no number counts as none."""

    def count(name: str) -> int:
        value = told.get(name)
        return value if isinstance(value, int) else 0

    return Usage(
        input_tokens=count("promptTokenCount"),
        output_tokens=count("candidatesTokenCount"),
        thought_tokens=count("thoughtsTokenCount"),
        tool_use_tokens=count("toolUsePromptTokenCount"),
        searches=searches,
    )
