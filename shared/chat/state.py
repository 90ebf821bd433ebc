"""What a conversation has come to: the checkpoint as a fold over the events of its session."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from shared.contracts.events import Event, EventType
from shared.contracts.sessions import ChatCheckpoint, Met, ToolState
from shared.ids import is_safe

MET = 12
"""So many notes and documents are kept: those that were met last."""
_TITLE_CHARACTERS = 120


@dataclass(frozen=True)
class Known:
    """A conversation's checkpoint in a worker's hands; `version` is that of the stored one, 0 where there is none."""

    checkpoint: ChatCheckpoint
    version: int = 0

    def after(self, events: Iterable[Event]) -> Known:
        return replace(self, checkpoint=folded(self.checkpoint, events))


def folded(checkpoint: ChatCheckpoint, events: Iterable[Event]) -> ChatCheckpoint:
    """The checkpoint after these events, in order; what it covers already changes nothing."""
    for event in events:
        if event.seq <= checkpoint.seq:
            continue
        update: dict[str, Any] = {"seq": event.seq}
        if event.type == EventType.HISTORY_SUMMARISED:
            update |= {
                "summary": str(event.data.get("text") or ""),
                "summarised_turns": int(event.data.get("turns") or 0),
            }
        elif event.type == EventType.TOOL_RESULT:
            update["tools"] = _with_result(checkpoint.tools, event.data)
        checkpoint = checkpoint.model_copy(update=update)
    return checkpoint


def _with_result(tools: ToolState, data: Mapping[str, Any]) -> ToolState:
    name = str(data.get("tool") or "")
    calls = tools.calls if data.get("malformed") else {**tools.calls, name: tools.calls.get(name, 0) + 1}
    new = list(_met(data.get("result"))) if data.get("ok") else []
    fresh = {(one.note_id, one.document_id) for one in new}
    kept = [one for one in tools.met if (one.note_id, one.document_id) not in fresh]
    return ToolState(calls=calls, met=tuple([*kept, *new][-MET:]))


def _met(result: Any) -> Iterator[Met]:
    """The notes and documents that a result names, itself or in its lists, each once; the first ones weigh most."""
    if not isinstance(result, Mapping):
        return
    lists = (item for value in result.values() if isinstance(value, list) for item in value)
    found: dict[tuple[Any, Any], Met] = {}
    for one in (result, *lists):
        if not isinstance(one, Mapping):
            continue
        title = str(one.get("title") or one.get("name") or "")[:_TITLE_CHARACTERS]
        for field in ("note_id", "document_id"):
            name = one.get(field)
            if title and isinstance(name, str) and is_safe(name):
                met = Met.model_validate({"title": title, field: name})
                found.setdefault((met.note_id, met.document_id), met)
    yield from reversed(list(found.values())[:MET])
