"""What came of a call, as an event; and the answers to calls that are not run at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shared.chat.journal import Place
from shared.chat.ports import Outcome
from shared.contracts.events import EventType
from shared.llm.port import Call
from shared.store.streams import EventDraft


@dataclass(frozen=True)
class NotRun:
    """An outcome without a run."""

    result: Mapping[str, Any]
    malformed: bool = False
    ok: bool = False
    seconds: float = 0.0


def refused(code: str, message: str, *, malformed: bool = False) -> NotRun:
    """The model is told what is wrong, in the words of an error body."""
    return NotRun({"error": {"code": code, "message": message}}, malformed)


TOO_MANY = refused("too_many_calls", "Not run: this turn has used up its tool calls.")

NO_TIME = refused("not_run", "Not run: the turn ended before.")


def result_event(turn_id: str, place: Place, call: Call, outcome: Outcome) -> EventDraft:
    """The event that answers the call at that place."""
    data: dict[str, Any] = {
        "turn_id": turn_id,
        "iteration": place.iteration,
        "index": place.index,
        "call_id": call.id,
        "tool": call.name,
        "ok": outcome.ok,
        "result": dict(outcome.result),
        "seconds": round(outcome.seconds, 3),
    }
    if outcome.malformed:
        data["malformed"] = True
    return EventDraft(EventType.TOOL_RESULT, data)
