"""What documents and values count for by production's way of counting, and the bounds on that."""

from __future__ import annotations

from typing import Any

from infra.local.firestore.encoding import is_vector
from infra.local.firestore.names import parse
from infra.local.firestore.refusals import invalid

MAX_DOCUMENT_BYTES = 1_048_576
MAX_REQUEST_BYTES = 10 * 1024 * 1024
MAX_OPERAND_BYTES = 1500


def check_request(request: Any) -> None:
    """Refuse a request of writes over 10 MiB. Raises INVALID_ARGUMENT."""
    if request.ByteSize() > MAX_REQUEST_BYTES:
        raise invalid(f"Request payload size exceeds the limit: {MAX_REQUEST_BYTES} bytes.")


def check_operand(path: str, value: Any) -> None:
    """Refuse to compare a field with a value too large for an index to hold whole. Raises INVALID_ARGUMENT."""
    if value_size(value) > MAX_OPERAND_BYTES:
        raise invalid(f"value for {path} is too large to be used in a query")


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


def _name_size(name: str) -> int:
    return sum(len(segment.encode()) + 1 for segment in parse(name).segments) + 16


def _fields_size(fields: Any) -> int:
    return sum(len(name.encode()) + 1 + value_size(value) for name, value in fields.items())


def value_size(value: Any) -> int:
    """Bytes a value counts for, in a document and where a query compares with it."""
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
        return sum(map(value_size, value.array_value.values))
    if is_vector(value):
        return 8 * len(value.map_value.fields["value"].array_value.values)
    if kind == "map_value":
        return _fields_size(value.map_value.fields)
    return 8
