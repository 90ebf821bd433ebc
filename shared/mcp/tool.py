"""What a tool of the MCP server is: a name, typed arguments and answer, and a function that acts for one caller."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from shared.contracts.members import Role
from shared.errors import Forbidden
from shared.identity.principal import Principal

if TYPE_CHECKING:
    from shared.bootstrap import App
    from shared.store.workspace import WorkspaceStore


class Camel(BaseModel):
    """What crosses the border to MCP clients: the names there are camelCase, and unknown ones are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel)


class Answer(Camel):
    """What a tool answers; made with the names of Python."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True)


Arguments = TypeVar("Arguments", bound=Camel)


@dataclass(frozen=True)
class Caller:
    """On whose word a tool acts, and with what."""

    app: App
    principal: Principal

    @property
    def workspace(self) -> str:
        return self.principal.workspace

    @property
    def store(self) -> WorkspaceStore:
        return self.app.store(self.workspace)

    def require(self, user_id: str | None) -> None:
        """Raises Forbidden where somebody else is named; nobody named is the caller."""
        if user_id is not None and user_id not in (self.workspace, self.principal.name):
            raise Forbidden(
                f"This token is that of {self.workspace}, not of {user_id[:100]!r}: leave userId out.", field="userId"
            )


@dataclass(frozen=True)
class McpTool(Generic[Arguments]):
    """One tool. The docstring of `run` is what the client's model reads.

    `run` raises one of shared.errors for what cannot be done; its message goes to the client's model.
    """

    name: str
    title: str
    arguments: type[Arguments]
    answer: type[Answer]
    run: Callable[[Caller, Arguments], Answer]
    changes: bool = False
    """Whether it does something that lasts."""
    destructive: bool = False
    """Whether it may take away what is there: clients ask their person before."""
    repeatable: bool = True
    """Whether the same call twice is one."""

    @property
    def role(self) -> Role:
        """The least role that may call it."""
        return Role.MEMBER if self.changes else Role.READER

    @property
    def description(self) -> str:
        return " ".join((self.run.__doc__ or "").split())

    @property
    def input_schema(self) -> dict[str, Any]:
        return self.arguments.model_json_schema()

    @property
    def output_schema(self) -> dict[str, Any]:
        return self.answer.model_json_schema(mode="serialization")
