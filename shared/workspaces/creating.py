"""Making a workspace: its own document and its first owner, in one commit."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from shared.clock import Clock
from shared.contracts.members import Member, Role
from shared.contracts.workspaces import Workspace
from shared.contracts.workspaces_api import WorkspaceCreate
from shared.errors import Conflict
from shared.ids import check_safe
from shared.store.deletions import Deletions
from shared.store.members import putting
from shared.store.workspace import WorkspaceStore
from shared.store.writes import Write

FREE_AFTER = timedelta(minutes=20)
"""After a deletion; no request takes so long, so that no worker of the old workspace writes into the new one."""


class Creating:
    """`store` gives stores that a deletion does not close."""

    def __init__(
        self, store: Callable[[str], WorkspaceStore], deletions: Callable[[], Deletions], clock: Clock
    ) -> None:
        self._store, self._deletions, self._clock = store, deletions, clock

    def create(self, wanted: WorkspaceCreate, by: str) -> Workspace:
        """The workspace as it is stored. Raises Conflict where there is one of that name, or was until just now,
        InputError for a name that is no id."""
        check_safe(wanted.id, "id")
        self._free(wanted.id)
        now = self._clock.now()
        workspace = Workspace(name=wanted.name, plan=wanted.plan, created_at=now, created_by=by)
        members: tuple[Write, ...] = ()
        if wanted.owner is not None:
            members = (putting(Member(email=wanted.owner, role=Role.OWNER, added_at=now)),)
        self._deletions().create(wanted.id, workspace, members)
        return workspace

    def _free(self, name: str) -> None:
        deletion = self._deletions().find(name)
        if deletion is None:
            if self._deletions().exists(name):
                raise Conflict(f"There is a workspace {name} already.")
            return
        if deletion.finished_at is None:
            raise Conflict(f"The workspace {name} is being deleted: its name is free after that.")
        free_at = deletion.finished_at + FREE_AFTER
        if self._clock.now() < free_at:
            raise Conflict(f"The workspace {name} was deleted just now: its name is free at {free_at:%H:%M} UTC.")
