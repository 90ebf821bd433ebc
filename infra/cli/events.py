"""A trace event in a few words."""

from __future__ import annotations

from collections.abc import Callable
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
    "plan_skipped": "!",
    "plan_proposed": "?",
    "plan_edited": "✎",
    "plan_change_asked": "↻",
    "plan_approved": "✓",
    "plan_gone": "!",
    "completed": "✓",
    "failed": "✗",
    "cancelled": "–",
}
_FIRST = (
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
    told = _TELL[kind](data) if kind in _TELL else _told(data)
    words = kind.replace("_", " ")
    return _ICONS.get(kind, "·"), one_line(f"{words}: {told}" if told else words, WIDTH)


def _told(data: dict[str, Any]) -> str:
    told = next((_words(data[name]) for name in _FIRST if data.get(name)), "")
    given = {name: value for name, value in data.items() if value not in (None, "", [], {})}
    return told or ", ".join(f"{name} {_words(value)}" for name, value in given.items())


def _words(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_words(item) for item in value)
    if isinstance(value, dict):
        return str(value.get("message") or value.get("title") or value)
    return str(value)


def _completed(data: dict[str, Any]) -> str:
    if data.get("document_id"):
        return f"{data.get('chunks')} pieces of text"
    sources, unresolved = data.get("citations", 0), data.get("unresolved", 0)
    counted = f"{sources} source" if sources == 1 else f"{sources} sources"
    return counted + (f", {unresolved} not resolved" if unresolved else "")


_TELL: dict[str, Callable[[dict[str, Any]], str]] = {
    "execution_started": lambda data: f"workflow execution {str(data.get('execution')).rpartition('/')[2]}",
    "interaction_started": lambda data: f"{data.get('interaction_id')}, attempt {data.get('attempt')}",
    "writing": lambda data: f"{_words(data.get('characters'))} characters so far",
    "extracted": lambda data: f"{data.get('parts')} of {data.get('of')}, {data.get('characters')} characters so far",
    "completed": _completed,
    "plan_proposed": lambda data: f"{data.get('estimate_low_usd')} to {data.get('estimate_high_usd')} USD",
    "plan_edited": lambda data: f"revision {data.get('revision')}",
    "plan_change_asked": lambda data: _words(data.get("change")),
    "plan_approved": lambda data: f"revision {data.get('revision')}, by {data.get('by')}",
}
