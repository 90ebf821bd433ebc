"""The tool queue_approval: it changes nothing, it asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field, StringConstraints, ValidationError

from shared.contracts.base import Model
from shared.errors import InputError
from shared.invalid import invalid
from shared.tools.proposing import propose
from shared.tools.tool import Job, Tool

NAME = "queue_approval"


class Arguments(Model):
    tool: Annotated[str, Field(description="The tool to call once a person approves.")]
    arguments: Annotated[dict[str, Any], Field(description="Its arguments, exactly as they are to be used.")]
    reason: Annotated[str, StringConstraints(max_length=2_000), Field(description="Why it is proposed.")] = ""


def tool(others: Sequence[Tool[Any]]) -> Tool[Arguments]:
    """The tool that proposes calls of those of `others` that mutate."""
    changing = {each.name: each for each in others if each.mutates}
    return Tool(NAME, Arguments, _run(changing))


def _run(changing: Mapping[str, Tool[Any]]) -> Callable[[Job, Arguments], Mapping[str, Any]]:
    def run(job: Job, arguments: Arguments) -> Mapping[str, Any]:
        """Propose a change with a reason: it is stored, and made only when a person approves it."""
        wanted = changing.get(arguments.tool)
        if wanted is None:
            raise InputError(f"tool: only these change something: {', '.join(changing)}", field="tool")
        try:
            parsed = wanted.arguments.model_validate(arguments.arguments)
        except ValidationError as error:
            raise invalid(error, within="arguments") from error
        return propose(job, wanted, parsed, reason=arguments.reason)

    return run
