"""Names of workflow executions."""

from __future__ import annotations


def same_execution(one: str | None, other: str | None) -> bool:
    """Whether both name one execution. Only the ids count: services write the project as its id or as its number."""
    if not one or not other:
        return False
    return one.rpartition("/")[2] == other.rpartition("/")[2]
