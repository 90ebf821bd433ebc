"""The raw protobuf classes of Firestore, timestamps, and splicing of already serialized messages."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

from google.cloud.firestore_v1.types import aggregation_result, document, firestore, query, write
from google.protobuf import timestamp_pb2

Document: Any = document.Document.pb()
Value: Any = document.Value.pb()
ArrayValue: Any = document.ArrayValue.pb()
Write: Any = write.Write.pb()
WriteResult: Any = write.WriteResult.pb()
StructuredQuery: Any = query.StructuredQuery.pb()
AggregationResult: Any = aggregation_result.AggregationResult.pb()
TargetChange: Any = firestore.TargetChange.pb()
ListenResponse: Any = firestore.ListenResponse.pb()
Timestamp: Any = timestamp_pb2.Timestamp

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MICROSECOND = timedelta(microseconds=1)


class Raw:
    """Stands where `rpc.Method` wants a response class, for handlers that answer serialized bytes."""

    @staticmethod
    def SerializeToString(message: bytes) -> bytes:  # noqa: N802 - the name protobuf gives it
        return message


def message(name: str) -> Any:
    """The raw class of a request or response, such as "GetDocumentRequest"."""
    return getattr(firestore, name).pb()


def varint(number: int) -> bytes:
    """A non-negative integer as protobuf writes it."""
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def splice(field: int, payload: bytes) -> bytes:
    """A length-delimited field (number below 16) holding an already serialized message, string or bytes."""
    return bytes((field << 3 | 2,)) + varint(len(payload)) + payload


def micros_of(moment: datetime) -> int:
    """Microseconds since 1970 of an aware datetime."""
    return (moment - _EPOCH) // _MICROSECOND


def datetime_of(micros: int) -> datetime:
    return _EPOCH + timedelta(microseconds=micros)


def timestamp_of(micros: int) -> Any:
    """A protobuf Timestamp of microseconds since 1970."""
    seconds, rest = divmod(micros, 1_000_000)
    return Timestamp(seconds=seconds, nanos=rest * 1000)


def timestamp_micros(timestamp: Any) -> int:
    """Microseconds since 1970 of a protobuf Timestamp, rounded down."""
    return int(timestamp.seconds * 1_000_000 + timestamp.nanos // 1000)


def parse_document(body: bytes) -> Any:
    return Document.FromString(body)


def serialize(body: Any) -> bytes:
    """Deterministic bytes: equal messages serialize to equal bytes, NaN included."""
    serialized: bytes = body.SerializeToString(deterministic=True)
    return serialized


def document_name(body: bytes) -> str:
    """The name in a serialized document, which is its first field."""
    length, at, shift = 0, 1, 0
    while True:
        byte = body[at]
        at += 1
        length |= (byte & 0x7F) << shift
        if byte < 0x80:
            return body[at : at + length].decode()
        shift += 7
