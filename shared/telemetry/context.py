"""What this thread works on: set at the edges, read by logs, spans and the switch for spending."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar, copy_context

_fields: ContextVar[Mapping[str, str]] = ContextVar("memex_fields", default={})  # noqa: B039 - never changed in place

NAMES = (
    "workspace",
    "function",
    "operation_id",
    "run_id",
    "session_id",
    "turn_id",
    "step",
    "job_id",
    "attempt",
    "execution",
)
"""What may be said of work: names and numbers, never content."""


def current() -> Mapping[str, str]:
    """What is known of the work of this thread, by the names above."""
    return _fields.get()


def workspace() -> str:
    """Whose work it is; "" where nobody has said so."""
    return current().get("workspace", "")


def told() -> Mapping[str, str]:
    """What logs and spans say of the work: all but the trace, which has a place of its own."""
    return {name: value for name, value in current().items() if name in NAMES}


def learn(**known: object) -> None:
    """This is known besides from now on, until the end of the `working` that is around; None and "" are nothing."""
    _fields.set({**current(), **{name: str(value) for name, value in known.items() if value not in (None, "")}})


@contextmanager
def working(**known: object) -> Iterator[None]:
    """Within the block this is known besides; what is None or empty is left as it was."""
    token = _fields.set(_fields.get())
    learn(**known)
    try:
        yield
    finally:
        _fields.reset(token)


def carried(task: Callable[[], None]) -> Callable[[], None]:
    """The task with what the caller works on, for another thread."""
    context = copy_context()
    return lambda: context.run(task)
