"""Memberships as the store has them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from shared.contracts.members import Role

if TYPE_CHECKING:
    from shared.store.system import SystemStore
    from shared.store.workspace import WorkspaceStore


class StoredMemberships:
    """Of the stores no one is made before a person is looked for."""

    def __init__(self, store: Callable[[str], WorkspaceStore], system: Callable[[], SystemStore]) -> None:
        self._store, self._system = store, system

    def role(self, workspace: str, email: str) -> Role | None:
        found = self._store(workspace).members.find(email)
        return None if found is None else found.role

    def workspaces(self, email: str) -> Sequence[tuple[str, Role]]:
        return [(one.workspace, one.member.role) for one in self._system().memberships(email)]
