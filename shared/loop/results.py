"""What came of a call, as an event; and the answers to calls that are not run at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shared.contracts.events import EventType
from shared.llm.port import Call
from shared.loop.ports import Outcome
from shared.loop.seat import Place, Seat
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


def too_many(seat: Seat) -> NotRun:
    return refused("too_many_calls", f"Not run: this {seat.kind} has used up its tool calls.")


def no_time(seat: Seat) -> NotRun:
    return refused("not_run", f"Not run: the {seat.kind} ended before.")


def unknown() -> NotRun:
    return refused("no_result", "It broke off, and nobody knows what came of it: look before you try again.")


def result_event(seat: Seat, place: Place, call: Call, outcome: Outcome) -> EventDraft:
    """The event that answers the call at that place."""
    data: dict[str, Any] = {
        **seat.data,
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
