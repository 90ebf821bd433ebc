"""In which workspace a person acts: the one that they name, or the only one that they are a member of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from shared.contracts.members import Role
from shared.errors import Forbidden
from shared.identity.people import Person
from shared.identity.principal import Principal, WorkspaceNeeded
from shared.ids import check_safe

WORKSPACE_HEADER = "X-Memex-Workspace"
NAMED_AT_MOST = 50


class Memberships(Protocol):
    """What is stored of members; asked at each request, so that who is let go is out at once."""

    def role(self, workspace: str, email: str) -> Role | None:
        """What that person may do there; None for nobody's member."""

    def workspaces(self, email: str) -> Sequence[tuple[str, Role]]:
        """Every workspace that the person is a member of, with the role there."""


def principal_of(person: Person, wanted: str | None, memberships: Memberships) -> Principal:
    """The person in a workspace of theirs.

    Raises InputError for a name that is no id, WorkspaceNeeded where it must be said which of several is meant
    (`details.workspaces` has them), Forbidden for who is no member. Whether there is such a workspace is not told.
    """
    workspace, role = _named(person, wanted, memberships) if wanted else _only(person, memberships)
    return Principal(workspace, person.name, role, person.expires_at, person.email)


def in_no_workspace(person: Person) -> Principal:
    """The person, where no workspace is meant; whether they are a member of any is not asked."""
    return Principal("", person.name, Role.READER, person.expires_at, person.email)


def same(wanted: str | None, principal: Principal) -> Principal:
    """The principal of a token, which has one workspace. Raises Forbidden where another is named."""
    if wanted and principal.workspace and wanted != principal.workspace:
        raise Forbidden(f"The token is of another workspace: leave {WORKSPACE_HEADER} out.")
    return principal


def _named(person: Person, wanted: str, memberships: Memberships) -> tuple[str, Role]:
    check_safe(wanted, WORKSPACE_HEADER)
    role = memberships.role(wanted, person.email)
    if role is None:
        raise Forbidden(f"You are no member of the workspace {wanted}: an owner can let you in.")
    return wanted, role


def _only(person: Person, memberships: Memberships) -> tuple[str, Role]:
    found = sorted(memberships.workspaces(person.email))
    if not found:
        raise Forbidden("You are signed in, and no member of any workspace: an owner can let you in.")
    if len(found) > 1:
        names = [workspace for workspace, _ in found[:NAMED_AT_MOST]]
        message = f"You are a member of several workspaces: name one in the header {WORKSPACE_HEADER}."
        raise WorkspaceNeeded(message, field=WORKSPACE_HEADER, workspaces=names)
    return found[0]
