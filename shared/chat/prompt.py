"""The system prompt: prompt.md with today's date; the summary of earlier turns, and what they met, as data."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date
from functools import cache
from html import escape
from pathlib import Path

from shared.contracts.sessions import Met

_MET = "Your tools came across these in earlier turns, the last one first; to use one, read it again by its id."


def system(today: date, summary: str, met: Sequence[Met] = ()) -> str:
    """The whole text. Summary and titles are escaped, so that nothing in them can close its tag."""
    text = _file("prompt.md").replace("{today}", f"{today:%A}, {today.isoformat()}")
    if summary:
        text += f"\n\n<earlier_conversation>\n{escape(summary, quote=False)}\n</earlier_conversation>"
    if met:
        lines = "\n".join(escape(_line(one), quote=False) for one in reversed(met))
        text += f"\n\n<met_before>\n{_MET}\n{lines}\n</met_before>"
    return text


def _line(met: Met) -> str:
    named = f"note {met.note_id}" if met.note_id is not None else f"document {met.document_id}"
    return f"- {named}: {' '.join(met.title.split())}"


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
