"""One setting: a field of a dataclass that knows its variable, what it is for, and how its text is read."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from shared import parsing


def setting(env: str, doc: str, default: Any = None, parse: parsing.Parser = str, *, secret: bool = False) -> Any:
    """A field read from the variable `env`; without a default it is required. A secret's value is never quoted."""
    metadata = {"env": env, "doc": doc, "parse": parse, "required": default is None, "secret": secret}
    return field(default=default, metadata=metadata, repr=not secret)
