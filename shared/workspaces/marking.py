"""Marking a workspace for its deletion, and undoing that while it has not begun."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from shared.contracts.workspace_deletions import DeletionStatus, WorkspaceDeletion
from shared.errors import Conflict, NotFound
from shared.ids import check_safe
from shared.store.errors import Contention
from shared.workspaces.ports import Ports

GRACE = timedelta(days=7)
"""How long there is a way back."""


def mark(ports: Ports, workspace: str, *, by: str, now: bool) -> WorkspaceDeletion:
    """The deletion of the workspace, asked for once; with `now` it begins at once, also where it was marked before.

    From this commit on nothing is written into the workspace, by whoever has not just seen it open.
    Raises InputError for a name that is no id.
    """
    check_safe(workspace, "workspace")

    def decide(before: WorkspaceDeletion | None, _read: datetime) -> Mapping[str, Any] | None:
        moment = ports.now()
        if before is None:
            begins = moment if now else moment + GRACE
            wanted = WorkspaceDeletion(
                workspace=workspace,
                requested_at=moment,
                requested_by=by,
                begins_at=begins,
                updated_at=moment,
                look_at=moment,
            )
            return wanted.model_dump()
        if not now or before.status is not DeletionStatus.MARKED or before.begins_at <= moment:
            return None
        return {"begins_at": moment, "look_at": moment, "updated_at": moment}

    deletion = ports.deletions().change(workspace, decide, point="workspace.mark")
    assert deletion is not None
    return deletion


def restore(ports: Ports, workspace: str) -> None:
    """Undo the deletion of a workspace; where none is asked for, that is well.

    What was cancelled when it was marked stays cancelled. Raises Conflict once it has begun.
    """
    for _ in range(5):
        try:
            held = ports.deletions().held(workspace)
            if held.deletion.status is not DeletionStatus.MARKED:
                raise Conflict(f"The deletion of the workspace {workspace} has begun: there is no way back.")
            ports.deletions().undo(held)
            return
        except NotFound:
            return
        except Contention:
            continue
    raise Contention("The workspace could not be restored just now: try again.")
