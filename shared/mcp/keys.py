"""Making what an MCP client asks for once: a call that is repeated with its key changes nothing anew."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from shared.contracts.limits import IDEMPOTENCY_KEY_CHARACTERS
from shared.ids import derived
from shared.mcp.tool import Caller
from shared.store.effects import Effect

Key = Annotated[
    str | None,
    StringConstraints(min_length=1, max_length=IDEMPOTENCY_KEY_CHARACTERS),
    Field(description="Any text of your own: the same key again is the same call, and nothing is done twice."),
]


def effect_of(caller: Caller, tool: str, key: str | None, part: str = "") -> Effect:
    """The effect of a call, or of one part of it."""
    cause = key if key is not None else caller.app.ids.fresh()
    return Effect(caller.store.effects, derived("mcp", caller.workspace, tool, cause, part))
