"""The values a workflow computes with, and their one JSON form in which everything is stored.

A value is null, bool, int (64 bits), float, str, bytes, a list, a map with string keys, or a
function's name (only retry policies hold those). Values are copied on assignment, never shared.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeAlias

from infra.local.workflows.errors import Raised, failure, limit_reached

Value: TypeAlias = Any

INT_MIN, INT_MAX = -(2**63), 2**63 - 1
_MARK = "!"
_DEEPEST = 100  # no documented limit: what can be stored without exhausting the stack


@dataclass(frozen=True)
class FunctionRef:
    """A function or subworkflow named where a predicate is expected."""

    name: str


_RECORDS: dict[str, type] = {}


def record(cls: type) -> type:
    """Make a dataclass storable by `pack`; for class decorators."""
    _RECORDS[cls.__name__] = cls
    return cls


record(FunctionRef)


def type_name(value: Value) -> str:
    """The documented name of a value's type."""
    if value is None:
        return "null"
    for kind, name in _TYPE_NAMES:
        if isinstance(value, kind):
            return name
    return "function"


_TYPE_NAMES: tuple[tuple[type, str], ...] = (
    (bool, "boolean"),
    (int, "integer"),
    (float, "double"),
    (str, "string"),
    (bytes, "bytes"),
    (list, "list"),
    (dict, "map"),
)


def is_number(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def copy(value: Value, levels: int = _DEEPEST) -> Value:
    """An independent copy of a value. Raises a ResourceLimitError map for one that is nested too deeply."""
    if not isinstance(value, list | dict):
        return value
    if levels < 0:
        raise limit_reached(f"a value is nested more than {_DEEPEST} levels deep")
    if isinstance(value, dict):
        return {key: copy(item, levels - 1) for key, item in value.items()}
    return [copy(item, levels - 1) for item in value]


def equal(left: Value, right: Value) -> bool:
    """Equality as `==` means it: numbers by size, other types never equal across types."""
    if is_number(left) and is_number(right):
        return bool(left == right)
    if type_name(left) != type_name(right):
        return False
    if isinstance(left, list):
        return len(left) == len(right) and all(map(equal, left, right))
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(equal(item, right[key]) for key, item in left.items())
    return bool(left == right)


def size_of(value: Value) -> int:
    """The bytes a value counts against the memory limit: its compact JSON, or the bytes themselves."""
    if isinstance(value, bytes):
        return len(value)
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_opaque).encode("utf-8", "replace"))


def _opaque(value: object) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else ""


def to_json(value: Value, indent: int | None = None) -> str:
    """A value as the JSON text that results, bodies and payloads carry. Raises TypeError maps for bytes."""
    separators = (",", ":") if indent is None else (",", ": ")
    try:
        return json.dumps(
            value, ensure_ascii=False, separators=separators, indent=indent, default=_refuse, allow_nan=False
        )
    except ValueError as error:
        raise failure("ValueError", f"cannot encode as JSON: {error}") from error


def _refuse(value: object) -> str:
    raise failure("TypeError", f"a value of type {type_name(value)} cannot be encoded as JSON")


def from_json(text: str | bytes) -> Value:
    """Parse JSON text; raises ValueError (Python's) when it is none, or holds an integer beyond 64 bits."""
    value = json.loads(text, parse_int=_integer, parse_constant=_no_constant)
    if _deeper_than(value, _DEEPEST):
        raise ValueError(f"nested more than {_DEEPEST} levels deep")
    return value


def _deeper_than(value: Value, levels: int) -> bool:
    if not isinstance(value, list | dict):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(_deeper_than(one, levels - 1) for one in inner)


def _integer(digits: str) -> int | float:
    number = int(digits)
    return number if INT_MIN <= number <= INT_MAX else float(digits)


def _no_constant(name: str) -> Value:
    raise ValueError(f"{name} is not JSON")


def payload(error: Value) -> str:
    """An error as the API's `error.payload`: a JSON string, whatever the error holds."""
    try:
        return to_json(error)
    except Raised:
        return json.dumps(error, ensure_ascii=False, separators=(",", ":"), default=_opaque)


def pack(thing: Any) -> Any:
    """A value or record as plain JSON data; `unpack` gives back an equal one."""
    if isinstance(thing, dict):
        packed = {key: pack(item) for key, item in thing.items()}
        return {_MARK: "map", "items": list(packed.items())} if _MARK in packed else packed
    if isinstance(thing, list):
        return [pack(item) for item in thing]
    if isinstance(thing, bytes):
        return {_MARK: "bytes", "base64": base64.b64encode(thing).decode()}
    if is_dataclass(thing) and not isinstance(thing, type):
        return {_MARK: type(thing).__name__} | {f.name: pack(getattr(thing, f.name)) for f in fields(thing)}
    return thing


def unpack(data: Any) -> Any:
    """The inverse of `pack`."""
    if isinstance(data, list):
        return [unpack(item) for item in data]
    if not isinstance(data, dict):
        return data
    mark = data.get(_MARK)
    if mark is None:
        return {key: unpack(item) for key, item in data.items()}
    if mark == "map":
        return {key: unpack(item) for key, item in data["items"]}
    if mark == "bytes":
        return base64.b64decode(data["base64"])
    return _RECORDS[mark](**{key: unpack(item) for key, item in data.items() if key != _MARK})
