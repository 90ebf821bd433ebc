"""A route and a call of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flask import Request, Response
from pydantic import BaseModel

from shared.api.parameters import Parameter
from shared.contracts.members import Role
from shared.identity.principal import Principal

if TYPE_CHECKING:
    from shared.bootstrap import App
    from shared.store.workspace import WorkspaceStore


@dataclass(frozen=True)
class Call:
    """A request that was let in: its path ids and query are checked, its body is read by the handler."""

    app: App
    request: Request
    principal: Principal
    ids: Mapping[str, str]
    query: Mapping[str, Any]

    @property
    def id(self) -> str:
        return self.ids["id"]

    @property
    def store(self) -> WorkspaceStore:
        return self.app.store(self.principal.workspace)


@dataclass(frozen=True)
class Route:
    """One row of the table. `path` is relative to /api/v1 and may hold {id}; `answer` is None for 204."""

    method: str
    path: str
    handler: Callable[[Call], Response]
    summary: str
    answer: type[BaseModel] | None = None
    status: int = 200
    body: type[BaseModel] | None = None
    body_required: bool = True
    query: tuple[Parameter, ...] = ()
    idempotent_key: bool = False
    stream: bool = False
    """Answers text/event-stream unless the client asks for JSON."""
    upload: bool = False
    """Takes a form with a file in the field `file`."""
    download: bool = False
    """Answers a file."""
    function: str = "api"
    """Which function of the manifest answers it."""
    role: Role | None = None
    """The least role that may call it, where that is not a reader's for a GET and a member's for the rest."""
    operator: bool = False
    """Whether the operator may call it besides, in no workspace."""
    anywhere: bool = False
    """Is about no workspace: a person need not say which one is meant, and is in none."""
    secret_address: bool = False
    """Needs no token: the last segment of its address stands for one."""

    @property
    def least_role(self) -> Role:
        return self.role or (Role.READER if self.method == "GET" else Role.MEMBER)

    def admit(self, principal: Principal) -> None:
        """Raises Forbidden for who may not call it."""
        if not (self.operator and principal.role is Role.OPERATOR):
            principal.require(self.least_role)

    @property
    def segments(self) -> tuple[str, ...]:
        return tuple(self.path.removeprefix("/").split("/"))
