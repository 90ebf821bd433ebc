"""Workspaces, put together: what the API, the functions and the sweep call."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from datetime import timedelta

from shared.contracts.members import MemberRole, Role
from shared.contracts.research import SweepAnswer
from shared.contracts.workspace_deletions import (
    DeletionFailRequest,
    DeletionStartRequest,
    DeletionStepAnswer,
    DeletionStepRequest,
    WorkspaceDeletion,
)
from shared.contracts.workspaces import Workspace
from shared.contracts.workspaces_api import WorkspaceCreate, WorkspaceEntry, WorkspaceView
from shared.errors import MemexError, NotFound
from shared.operations import launch
from shared.store.system import Found, SystemStore
from shared.sweeping import Swept
from shared.workspaces import marking
from shared.workspaces.creating import Creating
from shared.workspaces.deleting import Deleting
from shared.workspaces.launching import Launch, runs
from shared.workspaces.ports import Ports

log = logging.getLogger(__name__)

_LOOK_SECONDS = 30.0
_BUDGET_SECONDS = 60.0


class Workspaces:
    """Every transition of a workspace, each in a module of its own."""

    def __init__(self, ports: Ports, system: Callable[[], SystemStore]) -> None:
        self._ports, self._system = ports, system
        self._creating = Creating(ports.work.store, ports.deletions, ports.clock)
        self._deleting = Deleting(ports)

    def create(self, wanted: WorkspaceCreate, by: str) -> WorkspaceView:
        """See Creating.create."""
        return view(wanted.id, self._creating.create(wanted, by), None)

    def show(self, name: str, *, own: bool = False) -> WorkspaceView:
        """The workspace, and its deletion where one is asked for. Raises NotFound where there is neither, unless it is
        the caller's own: that is there from the first on."""
        deletion = self._ports.deletions().find(name)
        if deletion is None and not own and not self._ports.deletions().exists(name):
            raise NotFound(f"There is no workspace {name}.")
        return view(name, self._ports.work.store(name).usage.workspace(), deletion)

    def all(self) -> tuple[WorkspaceEntry, ...]:
        """Every workspace that has anything, and those whose deletion has not ended, by name."""
        return self._entries((name, None) for name in self._system().workspaces())

    def of_person(self, email: str) -> tuple[WorkspaceEntry, ...]:
        """Those that a person is a member of, with the role there, by name."""
        return self._entries((one.workspace, one.member.role) for one in self._system().memberships(email))

    def of_token(self, name: str, role: Role) -> tuple[WorkspaceEntry, ...]:
        """The one of a token, also while nothing is in it yet."""
        return self._entries([(name, None if role is Role.OPERATOR else role)])

    def delete(self, name: str, *, by: str, now: bool) -> WorkspaceDeletion:
        """See marking.mark. What runs is ended by an execution, which the sweep starts where it could not be started.

        Raises NotFound where there is no such workspace.
        """
        self.show(name)
        deletion = marking.mark(self._ports, name, by=by, now=now)
        try:
            self._launched(deletion)
        except MemexError as error:
            log.warning("workspace %s: its deletion is started by the sweep: %s", name, error.message)
        return self._ports.deletions().find(name) or deletion

    def restore(self, name: str) -> WorkspaceView:
        """See marking.restore. Raises NotFound where there is no such workspace."""
        marking.restore(self._ports, name)
        return self.show(name)

    def start(self, request: DeletionStartRequest) -> DeletionStepAnswer:
        """See Deleting.start."""
        return self._deleting.start(request)

    def step(self, request: DeletionStepRequest) -> DeletionStepAnswer:
        """See Deleting.step."""
        return self._deleting.step(request)

    def fail(self, request: DeletionFailRequest) -> DeletionStepAnswer:
        """See Deleting.fail."""
        return self._deleting.fail(request)

    def sweep(self) -> SweepAnswer:
        """Deletions whose time has come, whose execution died, or that have ended and are looked at once more."""
        begun, swept = self._ports.now(), Swept()
        for deletion in self._ports.deletions().due(begun):
            if swept.over(self._ports.now(), begun + timedelta(seconds=_BUDGET_SECONDS)):
                break
            with swept.noting(Found(deletion.workspace, deletion.workspace), busy=launch.LaunchHeld):
                swept.count("deletions", self._mended(deletion))
        return swept.answer()

    def _mended(self, deletion: WorkspaceDeletion) -> bool:
        if deletion.status.terminal:
            until = self._ports.now() + timedelta(seconds=_LOOK_SECONDS)
            return self._deleting.look_again(deletion.workspace, until) > 0
        return self._launched(deletion)

    def _launched(self, deletion: WorkspaceDeletion) -> bool:
        """Whether an execution was started. Raises Transient."""
        if not runs(deletion, self._ports.now()):
            return False
        dead = deletion.execution
        if dead is not None and self._ports.executions.alive(dead):
            return False
        work = Launch(self._ports, deletion.workspace)
        return launch.ensure(self._ports.executions, work, dead=dead) is not None

    def _entries(self, named: Iterable[tuple[str, MemberRole | None]]) -> tuple[WorkspaceEntry, ...]:
        roles = dict(named)
        found = self._ports.deletions().several(sorted(roles))
        return tuple(
            WorkspaceEntry(
                id=name,
                name=workspace.name,
                plan=workspace.plan,
                created_at=workspace.created_at,
                role=roles[name],
                deletion=deletion.status if deletion is not None else None,
                begins_at=deletion.begins_at if deletion is not None else None,
            )
            for name, workspace, deletion in found
        )


def view(name: str, workspace: Workspace, deletion: WorkspaceDeletion | None) -> WorkspaceView:
    return WorkspaceView(
        id=name,
        name=workspace.name,
        plan=workspace.plan,
        features=workspace.features,
        quotas=workspace.quotas,
        created_at=workspace.created_at,
        deletion=deletion,
    )
