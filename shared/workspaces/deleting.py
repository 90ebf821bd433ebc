"""What workflows/workspace_deletion.yaml calls, and the sweep that starts it: start, step, fail.

A step works for most of a minute, a commit a slice. Each commit counts what it takes away, and is refused where another
has written meanwhile: so a worker may be killed anywhere, and two at once take nothing from each other but time.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Literal

from shared.contracts.workspace_deletions import (
    DeletionFailRequest,
    DeletionStartRequest,
    DeletionStatus,
    DeletionStepAnswer,
    DeletionStepRequest,
    WorkspaceDeletion,
)
from shared.errors import NotFound
from shared.operations.executions import dead_owner, same_execution
from shared.printable import printable
from shared.store import paths
from shared.store.deletions import HeldDeletion
from shared.store.errors import Contention
from shared.store.gate import GATE_SECONDS
from shared.store.writes import delete
from shared.workspaces.launching import noted
from shared.workspaces.ports import Ports
from shared.workspaces.removing import PHASES, Removing
from shared.workspaces.stopping import Stopping

log = logging.getLogger(__name__)

STEP_SECONDS = 50.0
SETTLED = timedelta(seconds=GATE_SECONDS + 3.0)
"""After so long every process has heard that the workspace is closed, and what it was committing then is through."""
PATIENCE = timedelta(minutes=30)
"""What cannot be ended for so long is told as a problem, and the deletion goes on."""
FIRST_LOOK, LAST_LOOK = timedelta(minutes=5), timedelta(days=1)
WATCHED = timedelta(days=8)
"""A message of Pub/Sub may come seven days late, and what it brings is taken away too."""
_AGAIN_SECONDS = 30.0
_LAST_WRITES = 200

Status = Literal["running", "waiting", "completed", "superseded"]


class Superseded(Exception):
    """Another execution has the deletion, or there is none any more."""


class Deleting:
    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._stopping, self._removing = Stopping(ports), Removing(ports)

    def start(self, request: DeletionStartRequest) -> DeletionStepAnswer:
        """Take the deletion over for the calling execution. Called again after a lost answer, it gives the same."""
        dead = dead_owner(self._ports.executions, self._owner(request.workspace), request.execution)
        mine: list[bool] = []

        def decide(deletion: WorkspaceDeletion | None, _now: datetime) -> Mapping[str, Any] | None:
            mine.clear()
            if deletion is None or deletion.status.terminal:
                return None
            own = same_execution(deletion.execution, request.execution)
            if deletion.claimed and not own and not same_execution(deletion.execution, dead):
                return None
            mine.append(True)
            if deletion.claimed and own:
                return None
            claim = {"execution": request.execution, "claimed": True, "launch_expires_at": None}
            return {**claim, "fence": deletion.fence + 1}

        deletion = self._ports.deletions().change(request.workspace, decide, point="workspace.claim")
        fence = deletion.fence if deletion is not None else 0
        return DeletionStepAnswer(status="running" if mine else "superseded", fence=fence)

    def step(self, request: DeletionStepRequest) -> DeletionStepAnswer:
        """Work for most of a minute, or until there is nothing to do just now. Raises Transient."""
        until = self._ports.now() + timedelta(seconds=STEP_SECONDS)
        wait: float | None = None
        try:
            held = self._held(request)
            while wait is None and self._ports.now() < until:
                try:
                    wait = self._on(held)
                except Contention:
                    log.info("workspace %s: another writes its deletion: looking again", request.workspace)
                held = self._held(request)
        except Superseded:
            return DeletionStepAnswer(status="superseded", fence=request.fence)
        return DeletionStepAnswer(status=_status(held.deletion), fence=request.fence, wait_seconds=wait or 0.0)

    def fail(self, request: DeletionFailRequest) -> DeletionStepAnswer:
        """The workflow's last word: it is told, and the next sweep starts another execution."""
        try:
            held = self._held(request)
        except Superseded:
            return DeletionStepAnswer(status="superseded", fence=request.fence)
        problem = printable(f"It was held up: {request.message[:500]}")
        self._ports.deletions().advance(held, {"execution": None, "claimed": False, **noted(held.deletion, problem)})
        return DeletionStepAnswer(status="running", fence=request.fence)

    def look_again(self, workspace: str, until: datetime) -> int:
        """Take away what came after the end: how much. Looks less and less often, and then never again."""
        held, found = self._ports.deletions().held(workspace), 0
        for phase in PHASES:
            while self._ports.now() < until and (after := self._removing.some(held, phase)) is not None:
                held, found = after, found + 1
        deletion, now = held.deletion, self._ports.now()
        wait = min(FIRST_LOOK * 2 ** min(deletion.looks, 20), LAST_LOOK)
        over = deletion.finished_at is None or now - deletion.finished_at > WATCHED
        self._ports.deletions().advance(held, {"look_at": None if over else now + wait, "looks": deletion.looks + 1})
        if found:
            log.warning("workspace %s: something came after its end, and is taken away", workspace)
        return found

    def _on(self, held: HeldDeletion) -> float | None:
        """One slice; how long there is nothing to do, None while there is."""
        deletion, now = held.deletion, self._ports.now()
        if deletion.stopped_at is None:
            return self._stop(held)
        if deletion.status is DeletionStatus.MARKED and now < deletion.begins_at:
            self._wait_for_the_beginning(held)
            return 0.0
        if deletion.status is DeletionStatus.MARKED:
            begun = {"status": DeletionStatus.RUNNING.value, "began_at": now, "phase": PHASES[0], "updated_at": now}
            self._ports.deletions().advance(held, begun)
            return None
        if deletion.status.terminal:
            return 0.0
        if self._removing.some(held, deletion.phase) is None:
            self._next_phase(held)
        return None

    def _stop(self, held: HeldDeletion) -> float | None:
        deletion, stopped = held.deletion, self._stopping.stop(held.deletion.workspace)
        now = self._ports.now()
        waited = now - deletion.requested_at
        fields: dict[str, Any] = {"stopped": deletion.stopped + stopped.ended, "updated_at": now}
        done = not stopped.ended and waited >= SETTLED and (not stopped.left or waited >= PATIENCE)
        if done:
            fields |= {"stopped_at": now, "problems": (*deletion.problems, *stopped.left)[-20:]}
        self._ports.deletions().advance(held, fields)
        if done:
            return None
        return _AGAIN_SECONDS if stopped.left else max(0.5, (SETTLED - waited).total_seconds())

    def _wait_for_the_beginning(self, held: HeldDeletion) -> None:
        fields = {"execution": None, "claimed": False, "phase": "waiting", "look_at": held.deletion.begins_at}
        self._ports.deletions().advance(held, fields)

    def _next_phase(self, held: HeldDeletion) -> None:
        """After the last one everything is looked at once more, and the end is one commit with the last documents."""
        phase, now = held.deletion.phase, self._ports.now()
        following = PHASES.index(phase) + 1 if phase in PHASES else 1
        if following < len(PHASES):
            self._ports.deletions().advance(held, {"phase": PHASES[following], "updated_at": now})
            return
        if any(self._removing.some(held, one) is not None for one in PHASES):
            return  # something came meanwhile: this phase again, and then this look
        workspace = held.deletion.workspace
        last = self._ports.deletions().below(workspace)
        if len(last) > _LAST_WRITES:
            self._ports.deletions().remove(held, last, {"updated_at": now})
            return
        ended = {
            "status": DeletionStatus.COMPLETED.value,
            "phase": "done",
            "documents": held.deletion.documents + len(last) + 1,
            "finished_at": now,
            "updated_at": now,
            "execution": None,
            "claimed": False,
            "look_at": now + FIRST_LOOK,
        }
        also = [delete(one) for one in (*last, paths.workspace(workspace))]
        self._ports.deletions().advance(held, ended, also)

    def _held(self, request: DeletionStepRequest | DeletionFailRequest) -> HeldDeletion:
        """Raises Superseded."""
        try:
            held = self._ports.deletions().held(request.workspace)
        except NotFound as error:
            raise Superseded from error
        if held.deletion.fence != request.fence:
            raise Superseded
        return held

    def _owner(self, workspace: str) -> str | None:
        deletion = self._ports.deletions().find(workspace)
        return deletion.execution if deletion is not None and deletion.claimed else None


def _status(deletion: WorkspaceDeletion) -> Status:
    if deletion.status.terminal:
        return "completed"
    return "waiting" if deletion.phase == "waiting" and deletion.status is DeletionStatus.MARKED else "running"
