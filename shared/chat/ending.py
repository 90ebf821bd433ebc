"""The end of a turn: one commit of its last events, the session without it, and the turn's own document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from shared.contracts.chat import ChatSession, RunningTurn, TurnStatus
from shared.contracts.events import EventType
from shared.contracts.limits import TURN_ANSWER_BYTES
from shared.loop.seat import Ending
from shared.store import paths
from shared.store.event_size import cut_text
from shared.store.streams import Append, EventDraft
from shared.store.writes import Write, delete, update

CANCELLED = "cancelled"
"""The stop_reason of a turn that was cancelled."""


@dataclass(frozen=True)
class Last:
    """What else the closing commit brings: events before the closing one, and other documents."""

    events: tuple[EventDraft, ...] = ()
    also: tuple[Write, ...] = ()


def closing(session: ChatSession, turn: RunningTurn, ending: Ending, now: datetime, last: Last | None = None) -> Append:
    """The closing commit of `turn`, whose usage is already that of all its answers."""
    last = last or Last()
    events = (*last.events, EventDraft(EventType.TURN_ENDED, _told(turn, ending)))
    document = {
        "status": _status(ending).value,
        "stop_reason": ending.stop_reason,
        "answer": cut_text(ending.answer, TURN_ANSWER_BYTES),
        "error": ending.error.model_dump() if ending.error else None,
        "usage": turn.usage.model_dump(),
        "iterations": turn.iteration,
        "model": str(dict(ending.facts).get("model", "")),
        "last_seq": session.seq + len(events),
        "finished_at": now,
        "updated_at": now,
    }
    change = {"turn": None, "usage": (session.usage + turn.usage).model_dump(), "updated_at": now}
    writes = (update(paths.turn(session.id, turn.id), document), delete(paths.draft(session.id, turn.id)))
    return Append(change, events, (*last.also, *writes))


def _status(ending: Ending) -> TurnStatus:
    if ending.error is not None:
        return TurnStatus.FAILED
    return TurnStatus.CANCELLED if ending.stop_reason == CANCELLED else TurnStatus.COMPLETED


def _told(turn: RunningTurn, ending: Ending) -> Mapping[str, Any]:
    data: dict[str, Any] = {
        "turn_id": turn.id,
        "status": _status(ending).value,
        "stop_reason": ending.stop_reason,
        "usage": turn.usage.model_dump(exclude={"v"}),
        **dict(ending.facts),
    }
    if ending.error is not None:
        data["error"] = {"code": ending.error.code, "message": ending.error.message}
    return data
