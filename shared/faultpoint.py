"""Named places where a process may die in a simulation or a test; in production each is a dictionary lookup."""

from __future__ import annotations

from collections.abc import Callable

Handler = Callable[[str], None]

_handlers: dict[str, Handler] = {}


def faultpoint(name: str) -> None:
    """Mark a commit point, such as "after_commit:operation.create"; the names are collected from the code by a test."""
    handler = _handlers.get("handler")
    if handler is not None:
        handler(name)


def install(handler: Handler | None) -> None:
    """Call `handler` with each point's name from now on; None takes it out again."""
    if handler is None:
        _handlers.clear()
    else:
        _handlers["handler"] = handler
