"""Trace events of ended work, as the meter hears of them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any

from shared.contracts.events import Envelope, EventType
from shared.contracts.operations import DEEP_RESEARCH, Operation, Usage
from shared.store.operations import stored
from shared.store.streams import Append
from shared.store.workspace import WorkspaceStore
from shared.trace.received import TraceEvent

AT = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
USAGE = Usage(input_tokens=1000, output_tokens=100, thought_tokens=20, tool_use_tokens=50, searches=3)
"""1,050 tokens in and 120 out: 2,100 + 1,440 + 42,000 millionths of a USD."""
USD = 0.04554


def turn_ended(
    workspace: str, turn: str = "t1", *, seq: int = 9, at: datetime = AT, usage: Mapping[str, Any] | None = None
) -> TraceEvent:
    data = {"turn_id": turn, "status": "completed", "usage": USAGE.model_dump() if usage is None else usage}
    return of(workspace, "chat_sessions/s1", EventType.TURN_ENDED, data, seq=seq, at=at)


def operation_ended(workspace: str, operation_id: str, kind: str = EventType.COMPLETED) -> TraceEvent:
    return of(workspace, f"operations/{operation_id}", kind, {"result_note_id": "n1"})


def of(
    workspace: str, stream: str, kind: str, data: Mapping[str, Any], *, seq: int = 9, at: datetime = AT
) -> TraceEvent:
    owner = stream.rpartition("/")[2]
    envelope = Envelope(id=f"{owner}-{seq}", seq=seq, type=kind, at=at, stream=stream, data=dict(data))
    return TraceEvent(workspace, envelope)


def operation(store: WorkspaceStore, operation_id: str, *, kind: str = DEEP_RESEARCH, usage: Usage = USAGE) -> None:
    """An operation that is there."""
    new = Operation(id=operation_id, kind=kind, created_at=AT, updated_at=AT, source_note_id="n1", usage=usage)
    store.operations.append(operation_id, lambda _now, _found: Append(stored(new)), point="test", create=True)
