"""A trace event in a few words."""

from __future__ import annotations

from typing import Any

from infra.cli.terminal import one_line

WIDTH = 110

_ICONS = {
    "created": "＋",
    "execution_started": "▸",
    "interaction_started": "▸",
    "interaction_retried": "↻",
    "tagged_again": "↻",
    "thought": "…",
    "search": "⌕",
    "reading": "▤",
    "writing": "✎",
    "step": "·",
    "status": "·",
    "poll_error": "!",
    "start_failed": "!",
    "note_invalid": "!",
    "completed": "✓",
    "failed": "✗",
    "cancelled": "–",
}
_TOLD = (
    "title",
    "message",
    "text",
    "summary",
    "queries",
    "query",
    "urls",
    "url",
    "titles",
    "reason",
    "status",
    "error",
)
"""The fields of an event's data that say most, the best first."""


def describe(event: dict[str, Any]) -> tuple[str, str]:
    """(icon, text on one line) of an envelope; kinds and fields nobody knows are shown as they are."""
    kind, data = str(event["type"]), event.get("data") or {}
    told = next((_words(data[name]) for name in _TOLD if data.get(name)), "")
    if not told and data:
        told = ", ".join(f"{name} {_words(value)}" for name, value in data.items() if value not in (None, "", [], {}))
    words = kind.replace("_", " ")
    return _ICONS.get(kind, "·"), one_line(f"{words}: {told}" if told else words, WIDTH)


def _words(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_words(item) for item in value)
    if isinstance(value, dict):
        return str(value.get("message") or value.get("title") or value)
    return str(value)
