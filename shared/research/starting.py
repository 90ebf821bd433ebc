"""What an execution says first: it takes the operation over, and the paid run is made if there is none."""

from __future__ import annotations

from shared.contracts.notes import NoteKind
from shared.contracts.operations import OperationStatus
from shared.contracts.research import StartAnswer, StartRequest
from shared.errors import InputError, SpendingPaused, Transient
from shared.operations.claiming import claim
from shared.operations.executions import same_execution
from shared.operations.stopping import Stopping
from shared.operations.waiting import wait
from shared.research.attempts import is_told
from shared.research.creating import Creating
from shared.research.opening import Tagging, note_now, open_operation
from shared.research.ports import Ports
from shared.research.tags import plan_wanted
from shared.store import guards


class Starting:
    def __init__(self, ports: Ports, creating: Creating, stopping: Stopping) -> None:
        self._ports, self._creating, self._stopping = ports, creating, stopping

    def start(self, request: StartRequest) -> StartAnswer:
        """Claim the operation for the calling execution and make its interaction. The same call again gives the same.

        `superseded` when the operation has ended or a living execution has it. Raises Transient when to call again.
        """
        operation_id = request.operation_id or self._for_note(request)
        operation, mine = claim(self._ports, request.workspace, operation_id, request.execution)
        try:
            if mine:
                operation = self._creating.ensure(request.workspace, operation)
        except (guards.FenceLost, guards.StreamEnded):
            mine = False
        except SpendingPaused:
            wait(self._ports, request.workspace, operation_id, launched=True)
            return StartAnswer(operation_id=operation_id, status="paused", fence=operation.fence, next_poll_seconds=0.0)
        if operation.status.terminal and operation.cancel_pending:
            self._stopping.finish(request.workspace, operation.id, execution=False)
        running = mine and operation.status is OperationStatus.RUNNING
        return StartAnswer(
            operation_id=operation_id,
            status="running" if running else "superseded",
            fence=operation.fence,
            next_poll_seconds=self._ports.cadence.wait_seconds(0.0, 0),
            early_wake=running and is_told(operation),
        )

    def _for_note(self, request: StartRequest) -> str:
        """The note's running operation, or a new one for this execution."""
        store = self._ports.store(request.workspace)
        assert request.note_id is not None  # the request has one of the two
        for _ in range(2):
            held = store.claims.read(request.note_id)
            known = store.operations.find(held.claim.operation_id) if held.claim.operation_id else None
            ours = known is not None and same_execution(known.execution, request.execution)
            if known is not None and (ours or not known.status.terminal):
                return known.id
            opened = open_operation(self._ports, self._by_hand(request, request.note_id))
            if opened is not None:
                return opened.operation.id
        raise Transient("The note's research changes faster than it can be read: try again.")

    def _by_hand(self, request: StartRequest, note_id: str) -> Tagging:
        now = note_now(self._ports, request.workspace, note_id)
        note = now.reading.note
        if note.kind is not NoteKind.CAPTURE:
            raise InputError(f"The note is a {note.kind.value}: only captures are researched.", field="note_id")
        title, execution = now.reading.name, request.execution.rpartition("/")[2]
        at, plan = now.update_time, plan_wanted(now.reading)
        return Tagging(request.workspace, note_id, title, at, cause=execution, asked_by="hand", plan=plan)
