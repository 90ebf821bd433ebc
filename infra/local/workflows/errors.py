"""Everything that can go wrong: faults of a source, error maps raised inside a workflow, refusals of the API."""

from __future__ import annotations

from typing import Any

_PARENTS = {
    "KeyError": ("LookupError",),
    "IndexError": ("LookupError",),
    "ZeroDivisionError": ("ArithmeticError",),
    "UnhandledBranchError": ("RuntimeError",),
}


class WorkflowError(Exception):
    """A source that cannot be deployed: `file:line: message`."""

    def __init__(self, file: str, line: int, message: str) -> None:
        super().__init__(f"{file}:{line}: {message}")
        self.file, self.line, self.message = file, line, message


class Raised(Exception):
    """An error inside a running workflow; `error` is what `except: as: e` binds, a map or a raised string.

    A fatal one cannot be caught by the workflow.
    """

    def __init__(self, error: Any, *, fatal: bool = False) -> None:
        super().__init__(error)
        self.error, self.fatal = error, fatal


class TokenError(Exception):
    """A credential that could not be made; the workflow sees an AuthError."""


def failure(tag: str, message: str, **more: Any) -> Raised:
    """The error map `{message, tags, ...}` for one of the documented tags."""
    return Raised({"message": f"{tag}: {message}", "tags": [tag, *_PARENTS.get(tag, ())], **more})


def limit_reached(message: str, *, fatal: bool = False) -> Raised:
    """A documented limit that was exceeded."""
    return Raised({"message": f"ResourceLimitError: {message}", "tags": ["ResourceLimitError"]}, fatal=fatal)


def message_of(error: Any) -> str:
    """The human-readable part of an error value."""
    if isinstance(error, dict) and isinstance(error.get("message"), str):
        return str(error["message"])
    return error if isinstance(error, str) else str(error)
