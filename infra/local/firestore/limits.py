"""What production refuses to store: too deep, too large, reserved names, arrays in arrays."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from infra.local.firestore.encoding import is_vector
from infra.local.firestore.names import MAX_ID_BYTES, parse
from infra.local.firestore.refusals import invalid, unimplemented

MAX_DOCUMENT_BYTES = 1_048_576
MAX_VALUE_BYTES = 1_048_487
MAX_DEPTH = 20
_RESERVED = re.compile(r"__.+__", re.DOTALL)
_FREE = frozenset(("null_value", "boolean_value", "integer_value", "double_value"))


def check_fields(fields: Any, depth: int = 0) -> None:
    """Refuse fields that may not be stored and round timestamps down to microseconds. Raises INVALID_ARGUMENT.

    `depth` counts the maps and arrays around them, the document itself excepted.
    """
    for name in fields:  # not items(): this is the hottest loop of a batch, and that is twice as slow
        _check_name(name)
        check_value(fields[name], depth)


def check_value(value: Any, depth: int = 0) -> None:
    """Refuse a value that may not be stored. Raises INVALID_ARGUMENT."""
    kind = value.WhichOneof("value_type")
    if kind in _FREE:
        return
    if kind in _CHECKS:
        _CHECKS[kind](value, depth)
    elif kind is None:
        raise invalid("A value has no type set.")
    else:
        raise unimplemented(f"A value of type {kind}")


def _check_map(value: Any, depth: int) -> None:
    if not is_vector(value):
        _check_depth(depth + 1)
        check_fields(value.map_value.fields, depth + 1)


def _check_array(value: Any, depth: int) -> None:
    _check_depth(depth + 1)
    for element in value.array_value.values:
        if element.WhichOneof("value_type") == "array_value":
            raise invalid("Cannot convert an array value in an array value.")
        check_value(element, depth + 1)


def _check_depth(depth: int) -> None:
    if depth > MAX_DEPTH:
        raise invalid(f"Property contains an invalid nested entity: more than {MAX_DEPTH} levels.")


def _check_string(value: Any, _depth: int) -> None:
    text = value.string_value
    if len(text) * 3 > MAX_VALUE_BYTES and len(text.encode()) > MAX_VALUE_BYTES:
        raise invalid(f"The value of a property is longer than {MAX_VALUE_BYTES} bytes.")


def _check_bytes(value: Any, _depth: int) -> None:
    if len(value.bytes_value) > MAX_VALUE_BYTES:
        raise invalid(f"The value of a property is longer than {MAX_VALUE_BYTES} bytes.")


def _check_reference(value: Any, _depth: int) -> None:
    if len(parse(value.reference_value).segments) % 2:
        raise invalid(f'A reference must name a document: "{value.reference_value}"')


def _check_geo_point(value: Any, _depth: int) -> None:
    point = value.geo_point_value
    if not (-90 <= point.latitude <= 90 and -180 <= point.longitude <= 180):
        raise invalid("A geo point's latitude or longitude is out of range.")


def _round_timestamp(value: Any, _depth: int) -> None:
    value.timestamp_value.nanos -= value.timestamp_value.nanos % 1000


_CHECKS: dict[str, Callable[[Any, int], None]] = {
    "map_value": _check_map,
    "array_value": _check_array,
    "string_value": _check_string,
    "bytes_value": _check_bytes,
    "reference_value": _check_reference,
    "geo_point_value": _check_geo_point,
    "timestamp_value": _round_timestamp,
}


def check_size(document: Any) -> None:
    """Refuse a document over 1 MiB by production's way of counting. Raises INVALID_ARGUMENT."""
    if document.ByteSize() * 2 + 100 < MAX_DOCUMENT_BYTES:  # no value counts for more than twice its wire size
        return
    size = document_size(document)
    if size > MAX_DOCUMENT_BYTES:
        raise invalid(
            f"Document '{document.name}' cannot be written because its size ({size:,} bytes)"
            f" exceeds the maximum allowed size of {MAX_DOCUMENT_BYTES:,} bytes."
        )


def document_size(document: Any) -> int:
    """Bytes as the documentation counts them ("Storage size calculations", 2026): name, fields, 32."""
    return _name_size(document.name) + _fields_size(document.fields) + 32


@lru_cache(maxsize=4096)
def _check_name(name: str) -> None:
    if not name:
        raise invalid("Document fields must not be empty.")
    if len(name) > 4 and name.startswith("__") and _RESERVED.fullmatch(name):
        raise invalid(f'Field name "{name}" is reserved.')
    if len(name) * 3 > MAX_ID_BYTES and len(name.encode()) > MAX_ID_BYTES:
        raise invalid(f"A field name is longer than {MAX_ID_BYTES} bytes: {name[:50]}...")


def _name_size(name: str) -> int:
    return sum(len(segment.encode()) + 1 for segment in parse(name).segments) + 16


def _fields_size(fields: Any) -> int:
    return sum(len(name.encode()) + 1 + _value_size(value) for name, value in fields.items())


def _value_size(value: Any) -> int:
    kind = value.WhichOneof("value_type")
    if kind in ("null_value", "boolean_value"):
        return 1
    if kind == "string_value":
        return len(value.string_value.encode()) + 1
    if kind == "bytes_value":
        return len(value.bytes_value)
    if kind == "reference_value":
        return _name_size(value.reference_value)
    if kind == "geo_point_value":
        return 16
    if kind == "array_value":
        return sum(map(_value_size, value.array_value.values))
    if kind == "map_value":
        return _fields_size(value.map_value.fields)
    return 8
