"""Values as bytes that sort as Firestore sorts the values, across types.

No encoding is a proper prefix of another, so encodings can be strung together, and inverted for
a descending order. A value's first byte tells its type class; the bytes just below and just above
a class's are never used, so they bound the class.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any

from infra.local.firestore.names import reference_key
from infra.local.firestore.refusals import invalid, unimplemented

NULL, FALSE, TRUE, NAN, NUMBER = 0x10, 0x18, 0x19, 0x1E, 0x21
TIMESTAMP, STRING, BYTES, REFERENCE, GEO_POINT = 0x28, 0x30, 0x38, 0x40, 0x48
ARRAY, VECTOR, MAP = 0x50, 0x58, 0x60
_END = b"\x00"
_ENTRY = b"\x08"
_CLASSES = {
    "null_value": (NULL, NULL),
    "boolean_value": (FALSE, TRUE),
    "integer_value": (NUMBER, NUMBER),
    "double_value": (NUMBER, NUMBER),
    "timestamp_value": (TIMESTAMP, TIMESTAMP),
    "string_value": (STRING, STRING),
    "bytes_value": (BYTES, BYTES),
    "reference_value": (REFERENCE, REFERENCE),
    "geo_point_value": (GEO_POINT, GEO_POINT),
    "array_value": (ARRAY, ARRAY),
}
_INVERTED = bytes(255 - byte for byte in range(256))
_EXACT = 1 << 53
_BITS, _DOUBLE, _NUMBER = struct.Struct(">Q"), struct.Struct(">d"), struct.Struct(">BQH")

NULL_KEY = bytes((NULL,))
NAN_KEY = bytes((NAN,))


def encode(value: Any) -> bytes:
    """The sort key of a Value. Raises INVALID_ARGUMENT for a Value without a type."""
    kind = value.WhichOneof("value_type")
    encoder = _ENCODERS.get(kind)
    if encoder is None:
        raise _no_encoder(kind)
    return encoder(value)


def invert(key: bytes) -> bytes:
    """The key that sorts the other way round."""
    return key.translate(_INVERTED)


def class_bounds(value: Any) -> tuple[bytes, bytes]:
    """Keys just below and just above everything of the same type class as `value`; NaN is no number here."""
    if is_vector(value):
        low = high = VECTOR
    else:
        low, high = _CLASSES.get(value.WhichOneof("value_type"), (MAP, MAP))
    return bytes((low - 1,)), bytes((high + 1,))


def is_vector(value: Any) -> bool:
    """Whether a Value is a vector: a map of `__type__`: "__vector__" and an array `value`."""
    if value.WhichOneof("value_type") != "map_value":
        return False
    fields = value.map_value.fields
    return "__type__" in fields and fields["__type__"].string_value == "__vector__" and "value" in fields


def encode_number(number: float | int) -> bytes:
    """Integers and doubles in one order, exact over the whole range of both."""
    rest = 0
    if isinstance(number, int) and not -_EXACT <= number <= _EXACT:
        floor = float(number)
        if int(floor) > number:
            floor = math.nextafter(floor, -math.inf)
        rest = number - int(floor)
        number = floor
    bits: int = _BITS.unpack(_DOUBLE.pack(number + 0.0))[0]
    bits = bits ^ 0xFFFFFFFFFFFFFFFF if bits >> 63 else bits | 1 << 63
    return _NUMBER.pack(NUMBER, bits, rest)


def _no_encoder(kind: str | None) -> Exception:
    return invalid("A value has no type set.") if kind is None else unimplemented(f"A value of type {kind}")


def _escape(tag: int, raw: bytes) -> bytes:
    return bytes((tag,)) + raw.replace(b"\x00", b"\x00\xff") + b"\x00\x01"


def _double(value: Any) -> bytes:
    number = value.double_value
    return NAN_KEY if number != number else encode_number(number)


def _timestamp(value: Any) -> bytes:
    moment = value.timestamp_value
    return struct.pack(">BQI", TIMESTAMP, moment.seconds + (1 << 62), moment.nanos)


def _geo_point(value: Any) -> bytes:
    point = value.geo_point_value
    return bytes((GEO_POINT,)) + encode_number(point.latitude) + encode_number(point.longitude)


def _array(value: Any) -> bytes:
    return bytes((ARRAY,)) + b"".join(map(encode, value.array_value.values)) + _END


def _map(value: Any) -> bytes:
    fields = value.map_value.fields
    if is_vector(value):
        values = fields["value"].array_value.values
        return struct.pack(">BI", VECTOR, len(values)) + b"".join(map(encode, values))
    parts = [bytes((MAP,))]
    for key in sorted(fields):
        parts += _ENTRY, _escape(STRING, key.encode()), encode(fields[key])
    parts.append(_END)
    return b"".join(parts)


_ENCODERS: dict[str | None, Callable[[Any], bytes]] = {
    "null_value": lambda value: NULL_KEY,
    "boolean_value": lambda value: bytes((TRUE if value.boolean_value else FALSE,)),
    "integer_value": lambda value: encode_number(value.integer_value),
    "double_value": _double,
    "timestamp_value": _timestamp,
    "string_value": lambda value: _escape(STRING, value.string_value.encode()),
    "bytes_value": lambda value: _escape(BYTES, value.bytes_value),
    "reference_value": lambda value: bytes((REFERENCE,)) + reference_key(value.reference_value),
    "geo_point_value": _geo_point,
    "array_value": _array,
    "map_value": _map,
}
