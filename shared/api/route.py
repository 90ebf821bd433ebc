"""A route and a call of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flask import Request, Response
from pydantic import BaseModel

from shared.api.parameters import Parameter
from shared.auth import Principal

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

    @property
    def segments(self) -> tuple[str, ...]:
        return tuple(self.path.removeprefix("/").split("/"))
