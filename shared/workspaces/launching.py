"""A deletion gets the execution of workflows/workspace_deletion.yaml that drives it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from shared.contracts.workspace_deletions import DeletionArgument, WorkspaceDeletion
from shared.errors import MemexError, Transient
from shared.operations import launch
from shared.workspaces.ports import Ports

WORKFLOW = "workspace_deletion"


class Launch:
    """One deletion, as its launch sees it."""

    workflow = WORKFLOW

    def __init__(self, ports: Ports, workspace: str) -> None:
        self._ports, self._workspace = ports, workspace
        self.argument: Mapping[str, Any] = DeletionArgument(workspace=workspace).model_dump()

    def leased(self, dead: str | None) -> datetime | None:
        taken: list[datetime] = []

        def decide(deletion: WorkspaceDeletion | None, now: datetime) -> Mapping[str, Any] | None:
            taken.clear()
            if deletion is None or not runs(deletion, self._ports.now()):
                return None
            fields = launch.lease(deletion, now, seconds=self._ports.launch_lease_seconds, dead=dead)
            if fields is not None:
                taken.append(fields["launch_expires_at"])
                return {**fields, "claimed": False}
            return None

        self._change(decide, "workspace.lease")
        return taken[0] if taken else None

    def launched(self, name: str) -> None:
        def decide(deletion: WorkspaceDeletion | None, _now: datetime) -> Mapping[str, Any] | None:
            if deletion is None or deletion.execution is not None or deletion.status.terminal:
                return None
            return {"execution": name, "launch_expires_at": None}

        self._change(decide, "workspace.launched")

    def postponed(self, until: datetime, error: Transient) -> None:
        del error

        def decide(deletion: WorkspaceDeletion | None, _now: datetime) -> Mapping[str, Any] | None:
            return launch.returned(deletion, until)

        self._change(decide, "workspace.start_failed")

    def impossible(self, error: MemexError) -> None:
        """It is told where people look, and tried again by each sweep: a deletion does not fail."""

        def decide(deletion: WorkspaceDeletion | None, _now: datetime) -> Mapping[str, Any] | None:
            return None if deletion is None else {"launch_expires_at": None, **noted(deletion, error.message)}

        self._change(decide, "workspace.start_failed")

    def _change(self, decide: Any, point: str) -> None:
        self._ports.deletions().change(self._workspace, decide, point=point)


def runs(deletion: WorkspaceDeletion, now: datetime) -> bool:
    """Whether there is something to do at that moment."""
    return not deletion.status.terminal and (deletion.stopped_at is None or deletion.begins_at <= now)


def noted(deletion: WorkspaceDeletion, problem: str) -> dict[str, Any]:
    """The fields that tell of a problem, once."""
    known = deletion.problems
    return {"problems": known if problem in known else (*known, problem)[-20:]}
