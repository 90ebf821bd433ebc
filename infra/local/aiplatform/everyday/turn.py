"""The current turn of a conversation with tools: what was asked, what the calls were answered, what comes next."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from infra.local.aiplatform.everyday.asks import asks, leaned_on
from infra.local.aiplatform.everyday.replay import Ledger, Step
from infra.local.aiplatform.everyday.steps import Room, begun
from infra.local.aiplatform.everyday.wording import ABILITIES

_NAMES = frozenset({"search_notes", "create_note", "create_tasks", "list_tasks"})
"""The tools by which a chat about notes is known."""
_LINK = re.compile(r"\[([^\]]*)\]\(#/notes/([A-Za-z0-9_-]+)\)")
_TODAY = re.compile(r"\btoday is\b[^0-9]{0,20}(\d{4}-\d{2}-\d{2})", re.IGNORECASE)
_DATA = re.compile(r"<(note|tool_result|data)\b[^>]*>.*?</\1>", re.DOTALL)
_NOT_RUN = "Your last call was not run:"


def is_everyday(tools: Iterable[str]) -> bool:
    """Whether these are the tools of a chat about notes and tasks."""
    return frozenset(tools) >= _NAMES


def next_step(contents: Sequence[Mapping[str, Any]], tools: Iterable[str], system: str, today: date) -> Step:
    """The calls or the text that come next. Only the person's own words ask for anything."""
    start = _begun_at(contents)
    message = _DATA.sub(" ", _text(contents[start]))
    told = _TODAY.search(system)
    day = date.fromisoformat(told[1]) if told else today
    earlier = _earlier(contents[:start])
    found = asks(message, day, earlier=earlier is not None)
    if not found:
        return Step((), f"I did not understand that. {ABILITIES}")
    offered = frozenset(tools)
    talks = [begun(ask, Room(day, offered, before, earlier)) for ask, before in leaned_on(found)]
    return _ledger(contents[start + 1 :]).step(talks)


def _begun_at(contents: Sequence[Mapping[str, Any]]) -> int:
    """The place of what the person said last; what answers calls is none of it."""
    for place in range(len(contents) - 1, -1, -1):
        content = contents[place]
        text = _text(content)
        answers = any("functionResponse" in part for part in content.get("parts", ()))
        if content.get("role", "user") == "user" and text and not answers and not text.startswith(_NOT_RUN):
            return place
    return 0


def _text(content: Mapping[str, Any]) -> str:
    return "\n\n".join(str(part["text"]) for part in content.get("parts", ()) if part.get("text"))


def _earlier(before: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The first note that the last answer linked to: what "it" means in a message that names nothing itself."""
    for content in reversed(before):
        if content.get("role") == "model" and (match := _LINK.search(_text(content))):
            return {"title": match[1], "note_id": match[2]}
    return None


def _ledger(contents: Sequence[Mapping[str, Any]]) -> Ledger:
    """What each call was answered; calls and answers are matched by id, or where there is none, in their order."""
    ledger = Ledger()
    waiting: list[Mapping[str, Any]] = []
    for content in contents:
        for part in content.get("parts", ()):
            if "functionCall" in part:
                waiting.append(part["functionCall"])
            answer = part.get("functionResponse")
            if isinstance(answer, Mapping) and waiting:
                call = next((call for call in waiting if call.get("id") == answer.get("id")), waiting[0])
                waiting.remove(call)
                response = answer.get("response")
                ledger.note(
                    str(call.get("name")), call.get("args") or {}, response if isinstance(response, Mapping) else {}
                )
    return ledger
