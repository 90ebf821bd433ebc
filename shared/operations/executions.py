"""Executions of workflows: how the work they drive sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from shared.errors import Forbidden, InputError


class ExecutionsPort(Protocol):
    """See shared/gateway/workflows.py for what each raises."""

    def start(self, workflow: str, argument: Mapping[str, Any]) -> str: ...

    def alive(self, name: str) -> bool: ...

    def cancel(self, name: str) -> None: ...


def same_execution(one: str | None, other: str | None) -> bool:
    """Whether both name one execution. Only the ids count: services write the project as its id or as its number."""
    if not one or not other:
        return False
    return one.rpartition("/")[2] == other.rpartition("/")[2]


def dead_owner(executions: ExecutionsPort, owner: str | None, caller: str) -> str | None:
    """The execution that holds some work, if it is another than the caller and is known to have ended.

    Raises Transient. Where nobody can tell, it lives.
    """
    if owner is None or same_execution(owner, caller):
        return None
    try:
        return None if executions.alive(owner) else owner
    except (Forbidden, InputError):
        return None
