"""The caller of a public function, once it is known who that is."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from shared.contracts.members import Role
from shared.errors import Forbidden, InputError, Unauthorized


class TokenExpired(Unauthorized):
    """The token was good once."""

    code = "token_expired"


class WorkspaceNeeded(InputError):
    """A person of several workspaces has not said which one is meant."""

    code = "workspace_needed"


@dataclass(frozen=True)
class Principal:
    """Who calls the API, in which workspace, and what they may do there. In none, "", are operators, and people on
    routes that are about no workspace.

    `name` tells callers apart in logs and events without giving a token or an address away.
    """

    workspace: str
    name: str
    role: Role
    expires_at: datetime | None = None
    """When what they came with ends."""
    email: str = field(default="", repr=False)
    """Of a person who signed in; a token has none."""

    def require(self, least: Role) -> None:
        """Raises Forbidden for a lesser role; `details.role` is the least that would do."""
        if not self.role.may(least):
            raise Forbidden(_REFUSALS.get(self.role, f"This takes the role {least}; yours is {self.role}."), role=least)


_REFUSALS = {Role.OPERATOR: "An operator's token opens nothing inside a workspace: send a token of the workspace."}
