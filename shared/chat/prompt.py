"""The system prompt: prompt.md with today's date, and the summary of earlier turns as data."""

from __future__ import annotations

import hashlib
from datetime import date
from functools import cache
from html import escape
from pathlib import Path


def system(today: date, summary: str) -> str:
    """The whole text. The summary is escaped, so that nothing in it can close its tag."""
    text = _file("prompt.md").replace("{today}", f"{today:%A}, {today.isoformat()}")
    if not summary:
        return text
    return f"{text}\n\n<earlier_conversation>\n{escape(summary, quote=False)}\n</earlier_conversation>"


def folding() -> str:
    """The instruction for summarising earlier turns."""
    return _file("fold.md")


@cache
def version() -> str:
    """The first digits of the prompt's hash, which the last event of a turn names."""
    return hashlib.sha256(_file("prompt.md").encode()).hexdigest()[:12]


@cache
def _file(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8").strip()
