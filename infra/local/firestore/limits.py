"""What production refuses to store: too deep, reserved names, arrays in arrays, values out of range."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from infra.local.firestore.encoding import is_vector
from infra.local.firestore.fieldpath import MAX_PATH_BYTES
from infra.local.firestore.names import parse
from infra.local.firestore.refusals import invalid, unimplemented

MAX_VALUE_BYTES = 1_048_487
MAX_DEPTH = 20
MAX_DIMENSIONS = 2048
_SECONDS = range(-62_135_596_800, 253_402_300_800)  # the years 1 to 9999
_NANOS = range(1_000_000_000)
_RESERVED = re.compile(r"__.+__", re.DOTALL)
_FREE = frozenset(("null_value", "boolean_value", "integer_value", "double_value"))


def check_fields(fields: Any, depth: int = 0, above: int = 0) -> None:
    """Refuse fields that may not be stored and round timestamps down to microseconds. Raises INVALID_ARGUMENT.

    `depth` counts the maps and arrays around them, the document itself excepted; `above` the bytes of the path to them.
    """
    for name in fields:  # not items(): this is the hottest loop of a batch, and that is twice as slow
        size = above + _checked_name(name)
        if size > MAX_PATH_BYTES:
            raise invalid(f"A field's path is longer than {MAX_PATH_BYTES} bytes: {name[:50]}...")
        check_value(fields[name], depth, size + 1)


def check_value(value: Any, depth: int = 0, above: int = 0) -> None:
    """Refuse a value that may not be stored; arguments as for `check_fields`. Raises INVALID_ARGUMENT."""
    kind = value.WhichOneof("value_type")
    if kind in _FREE:
        return
    if kind in _CHECKS:
        _CHECKS[kind](value, depth, above)
    elif kind is None:
        raise invalid("A value has no type set.")
    else:
        raise unimplemented(f"A value of type {kind}")


def check_compared(value: Any, depth: int = 0, above: int = 0) -> None:
    """Refuse to compare with what no field can hold; an array in an array is let pass. Raises INVALID_ARGUMENT."""
    kind = value.WhichOneof("value_type")
    if kind == "array_value":
        for element in value.array_value.values:
            check_compared(element, depth, above)
    elif kind == "map_value" and not is_vector(value):
        _check_depth(depth + 1)
        for name, each in value.map_value.fields.items():
            check_compared(each, depth + 1, above + _checked_name(name) + 1)
    else:
        check_value(value, depth, above)


def _check_map(value: Any, depth: int, above: int) -> None:
    if is_vector(value):
        _check_vector(value.map_value.fields)
        return
    _check_depth(depth + 1)
    check_fields(value.map_value.fields, depth + 1, above)


def _check_vector(fields: Any) -> None:
    if len(fields) > 2:
        raise invalid("A vector has entries beside its value.")
    if not fields["value"].HasField("array_value"):
        raise invalid("A vector's value must be an array.")
    elements = fields["value"].array_value.values
    if not 1 <= len(elements) <= MAX_DIMENSIONS:
        raise invalid(f"A vector must have between 1 and {MAX_DIMENSIONS} dimensions.")
    if any(element.WhichOneof("value_type") != "double_value" for element in elements):
        raise invalid("A vector must hold doubles only.")


def _check_array(value: Any, depth: int, above: int) -> None:
    _check_depth(depth + 1)
    for element in value.array_value.values:
        if element.WhichOneof("value_type") == "array_value":
            raise invalid("Cannot convert an array value in an array value.")
        if is_vector(element):
            raise invalid("Cannot convert a vector value in an array value.")
        check_value(element, depth + 1, above)


def _check_depth(depth: int) -> None:
    if depth > MAX_DEPTH:
        raise invalid(f"Property contains an invalid nested entity: more than {MAX_DEPTH} levels.")


def _check_string(value: Any, _depth: int, _above: int) -> None:
    text = value.string_value
    if len(text) * 3 > MAX_VALUE_BYTES and len(text.encode()) > MAX_VALUE_BYTES:
        raise invalid(f"The value of a property is longer than {MAX_VALUE_BYTES} bytes.")


def _check_bytes(value: Any, _depth: int, _above: int) -> None:
    if len(value.bytes_value) > MAX_VALUE_BYTES:
        raise invalid(f"The value of a property is longer than {MAX_VALUE_BYTES} bytes.")


def _check_reference(value: Any, _depth: int, _above: int) -> None:
    path = parse(value.reference_value)
    if len(path.segments) % 2 or (not path.segments and path.database != value.reference_value):
        raise invalid(f'A reference must name a document: "{value.reference_value}"')


def _check_geo_point(value: Any, _depth: int, _above: int) -> None:
    point = value.geo_point_value
    if not (-90 <= point.latitude <= 90 and -180 <= point.longitude <= 180):
        raise invalid("A geo point's latitude or longitude is out of range.")


def _round_timestamp(value: Any, _depth: int, _above: int) -> None:
    moment = value.timestamp_value
    if moment.seconds not in _SECONDS or moment.nanos not in _NANOS:
        raise invalid("A timestamp's seconds or nanos are out of range.")
    moment.nanos -= moment.nanos % 1000


_CHECKS: dict[str, Callable[[Any, int, int], None]] = {
    "map_value": _check_map,
    "array_value": _check_array,
    "string_value": _check_string,
    "bytes_value": _check_bytes,
    "reference_value": _check_reference,
    "geo_point_value": _check_geo_point,
    "timestamp_value": _round_timestamp,
}


@lru_cache(maxsize=4096)
def _checked_name(name: str) -> int:
    """The bytes of a field's name that may be stored."""
    if not name:
        raise invalid("Document fields must not be empty.")
    if len(name) > 4 and name.startswith("__") and _RESERVED.fullmatch(name):
        raise invalid(f'Field name "{name}" is reserved.')
    return len(name.encode())
