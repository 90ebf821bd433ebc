"""Field paths (`a.b`, with back-ticks round other names) and getting, setting and deleting by them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from infra.local.firestore.refusals import invalid

FieldPath = tuple[str, ...]

NAME: FieldPath = ("__name__",)
MAX_PATH_BYTES = 1500
_SEGMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)|`((?:[^`\\]|\\.)+)`", re.DOTALL)
_SIMPLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@lru_cache(maxsize=4096)
def parse(text: str) -> FieldPath:
    """The segments of a path as a client writes it. Raises INVALID_ARGUMENT."""
    segments = []
    at = 0
    while True:
        match = _SEGMENT.match(text, at)
        if match is None:
            raise invalid(f'Invalid property path "{text}": unquoted segments must match [a-zA-Z_][a-zA-Z_0-9]*.')
        segments.append(match[1] if match[1] is not None else _ESCAPED.sub(r"\1", match[2]))
        at = match.end()
        if at == len(text):
            if sum(len(segment.encode()) + 1 for segment in segments) > MAX_PATH_BYTES:
                raise invalid(f"property path is longer than {MAX_PATH_BYTES} bytes.")
            return tuple(segments)
        if text[at] != ".":
            raise invalid(f'Invalid property path "{text}".')
        at += 1


def parse_written(text: str) -> FieldPath:
    """A path that may be written to: no reserved name in it. Raises INVALID_ARGUMENT."""
    path = parse(text)
    for segment in path:
        if len(segment) > 4 and segment.startswith("__") and segment.endswith("__"):
            raise invalid(f'Invalid property path "{text}": names like __x__ are reserved.')
    return path


def parse_queried(text: str) -> FieldPath:
    """A path that may be filtered or ordered by: as for writing, and `__name__`. Raises INVALID_ARGUMENT."""
    path = parse(text)
    return path if path == NAME else parse_written(text)


def check_alias(alias: str) -> None:
    """Refuse a name that no result may have. Raises INVALID_ARGUMENT."""
    if len(alias) > 4 and alias.startswith("__") and alias.endswith("__"):
        raise invalid(f'The name "{alias}" is reserved.')
    if len(alias.encode()) > MAX_PATH_BYTES:
        raise invalid(f"A name is longer than {MAX_PATH_BYTES} bytes: {alias[:50]}...")


def render(path: Iterable[str]) -> str:
    """The path as text, quoted where it must be."""
    return ".".join(map(_quote, path))


def _quote(segment: str) -> str:
    if _SIMPLE.fullmatch(segment):
        return segment
    return "`" + segment.replace("\\", "\\\\").replace("`", "\\`") + "`"


def get(fields: Any, path: FieldPath) -> Any | None:
    """The Value at `path` in a map of Values, or None."""
    for segment in path[:-1]:
        if segment not in fields:
            return None
        value = fields[segment]
        if not value.HasField("map_value"):
            return None
        fields = value.map_value.fields
    return fields[path[-1]] if path[-1] in fields else None  # noqa: SIM401 - `get` builds a default each time


def put(fields: Any, path: FieldPath, value: Any) -> None:
    """Set a copy of `value`; what is on the way and is no map becomes one."""
    for segment in path[:-1]:
        child = fields[segment]
        if not child.HasField("map_value"):
            child.Clear()
            child.map_value.SetInParent()
        fields = child.map_value.fields
    fields[path[-1]].CopyFrom(value)


def drop(fields: Any, path: FieldPath) -> None:
    """Delete the field, if it is there."""
    for segment in path[:-1]:
        if segment not in fields or not fields[segment].HasField("map_value"):
            return
        fields = fields[segment].map_value.fields
    if path[-1] in fields:
        del fields[path[-1]]


def project(source: Any, paths: Iterable[FieldPath], target: Any) -> None:
    """Copy into `target` (a map of Values) those of `paths` that `source` has."""
    for path in paths:
        value = get(source, path) if path != NAME else None
        if value is not None:
            put(target, path, value)
