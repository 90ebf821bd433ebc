"""The system prompt: prompt.md with today's date; the summary of earlier turns as data, and ids of what they met."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date
from functools import cache
from html import escape
from pathlib import Path

from shared.contracts.sessions import Met
from shared.ids import is_safe


def system(today: date, summary: str, met: Sequence[Met] = ()) -> str:
    """The whole text. The summary is escaped, so that nothing in it can close its tag.

    What the tools of earlier turns met is named by its ids, the last one first: whoever wrote a title is not to
    speak here.
    """
    text = _file("prompt.md").replace("{today}", f"{today:%A}, {today.isoformat()}")
    if summary:
        text += f"\n\n<earlier_conversation>\n{escape(summary, quote=False)}\n</earlier_conversation>"
    named = [line for one in reversed(met) if (line := _named(one))]
    if named:
        text += "\n\n<met_before>\n" + "\n".join(named) + "\n</met_before>"
    return text


def _named(met: Met) -> str:
    """Nothing for an id that could be more than one."""
    kind, name = ("note", met.note_id) if met.note_id is not None else ("document", met.document_id)
    return f"{kind} {name}" if name and is_safe(name) else ""


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
