"""Executions of workflows: how the work they drive sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


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
