"""The end of an operation: one commit of its status, its closing event and the note that holds what there is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shared.contracts.events import EventType
from shared.contracts.notes import Note
from shared.contracts.operations import Failure, Operation, OperationStatus
from shared.errors import NotFound
from shared.operations.ports import Ports
from shared.store import guards
from shared.store.notes import creating
from shared.store.operations import OperationChange
from shared.store.streams import Append, EventDraft
from shared.store.writes import Snapshot

_EVENTS = {
    OperationStatus.COMPLETED: EventType.COMPLETED,
    OperationStatus.FAILED: EventType.FAILED,
    OperationStatus.CANCELLED: EventType.CANCELLED,
}


@dataclass(frozen=True)
class Ending:
    """How an operation ends. `data` goes into the closing event."""

    status: OperationStatus
    failure: Failure | None = None
    note: Note | None = None
    data: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def failed(cls, code: str, message: str, note: Note | None = None) -> Ending:
        return cls(OperationStatus.FAILED, Failure(code=code, message=message), note)

    @classmethod
    def cancelled(cls, code: str, message: str, note: Note | None = None) -> Ending:
        return cls(OperationStatus.CANCELLED, Failure(code=code, message=message), note)


@dataclass(frozen=True)
class Last:
    """What the last poll brings into the closing commit: fields of the operation and events before the closing one."""

    update: dict[str, Any]
    events: tuple[EventDraft, ...] = ()


def closing(ports: Ports, operation: Operation, ending: Ending, last: Last | None = None) -> Append:
    """The closing commit of a running operation. What may still run outside is marked, to be stopped after it."""
    now = ports.now()
    last = last or Last({})
    after = operation.model_copy(update={})
    if "interactions" in last.update:
        after = Operation.model_validate({**operation.model_dump(), "interactions": last.update["interactions"]})
    data = dict(ending.data)
    if ending.failure is not None:
        data |= {"code": ending.failure.code, "message": ending.failure.message}
    if ending.note is not None:
        data["result_note_id"] = ending.note.id
    update = {
        **last.update,
        "status": ending.status.value,
        "error": ending.failure.model_dump() if ending.failure else None,
        "result_note_id": ending.note.id if ending.note else None,
        "finished_at": now,
        "updated_at": now,
        "launch_expires_at": None,
        "cancel_pending": bool(ports.outside(after)),
    }
    event = ports.event(_EVENTS[ending.status], terminal=True, **data)
    return Append(update, (*last.events, event), creating(ending.note) if ending.note else ())


def end(ports: Ports, workspace: str, operation_id: str, ending: Ending, *, fence: int | None) -> OperationChange:
    """End a running operation. One that has ended stays as it is; with a `fence` that no longer holds: FenceLost."""

    def decide(operation: Operation | None, found: Snapshot) -> Append | None:
        if operation is None:
            raise NotFound(f"There is no operation {operation_id}.")
        if operation.status.terminal:
            return None
        if fence is not None:
            guards.fenced(found.fields or {}, fence)
        return closing(ports, operation, ending)

    return ports.store(workspace).operations.append(operation_id, decide, point="operation.end")
