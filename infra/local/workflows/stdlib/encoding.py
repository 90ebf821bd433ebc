"""json.*, base64.*, hash.* and time.* (reference/stdlib/json, base64, hash, time)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import zlib
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from infra.local.workflows.errors import failure
from infra.local.workflows.stdlib.functions import Function, function, number, octets, string, wrong_type
from infra.local.workflows.values import Value, from_json, to_json

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_DIGESTS = {"SHA256": hashlib.sha256, "SHA1": hashlib.sha1, "MD5": hashlib.md5, "SHA512": hashlib.sha512}


def _json_decode(data: Value) -> Value:
    if not isinstance(data, str | bytes):
        raise wrong_type("json.decode", data, "bytes or a string")
    try:
        return from_json(data)
    except (ValueError, RecursionError) as error:
        raise failure("ValueError", f"json.decode: {error}") from error


def _json_encode_to_string(data: Value, indent: Value) -> Value:
    return to_json(data, _indent(indent))


def _indent(indent: Value) -> int | None:
    """Indentation as `indent: 4`, `indent: true` or `indent: {indent: 4}` in the documentation's words."""
    if isinstance(indent, dict):
        indent = indent.get("indent")
    if indent is True:
        return 2
    if indent in (None, False):
        return None
    return int(number("json.encode", indent))


def _json_encode(data: Value, indent: Value) -> Value:
    return to_json(data, _indent(indent)).encode()


def _base64_encode(data: Value, padding: Value) -> Value:
    encoded = base64.b64encode(octets("base64.encode", data)).decode()
    return encoded if padding else encoded.rstrip("=")


def _base64_decode(data: Value, padding: Value) -> Value:
    text = string("base64.decode", data)
    try:
        return base64.b64decode(text if padding else text + "=" * (-len(text) % 4), validate=True)
    except binascii.Error as error:
        raise failure("ValueError", f"base64.decode: {error}") from error


def _algorithm(name: str, algorithm: Value) -> str:
    chosen = string(name, algorithm).upper().replace("-", "")
    if chosen not in _DIGESTS and not (chosen == "CRC32" and name == "hash.compute_checksum"):
        raise failure("ValueError", f"{name}: unknown algorithm {algorithm!r}")
    return chosen


def _checksum(data: Value, algorithm: Value) -> Value:
    chosen = _algorithm("hash.compute_checksum", algorithm)
    content = octets("hash.compute_checksum", data)
    if chosen == "CRC32":
        return zlib.crc32(content).to_bytes(4, "big")
    return _DIGESTS[chosen](content).digest()


def _hmac(key: Value, data: Value, algorithm: Value) -> Value:
    name = "hash.compute_hmac"
    return hmac.new(octets(name, key), octets(name, data), _DIGESTS[_algorithm(name, algorithm)]).digest()


def rfc3339(moment: datetime) -> str:
    """A time as the service writes it: microseconds only where there are some, Z for UTC."""
    return moment.isoformat().replace("+00:00", "Z")


def _time_format(seconds: Value, timezone: Value) -> Value:
    name = string("time.format", timezone)
    try:
        return rfc3339((_EPOCH + timedelta(seconds=number("time.format", seconds))).astimezone(ZoneInfo(name)))
    except (ZoneInfoNotFoundError, OverflowError, ValueError, OSError) as error:
        raise failure("ValueError", f"time.format: {error}") from error


def parse_time(name: str, value: Value) -> datetime:
    """An RFC 3339 time with a zone. Raises ValueError maps."""
    try:
        moment = datetime.fromisoformat(string(name, value))
    except ValueError as error:
        raise failure("ValueError", f"{name}: {value!r} is not a time in RFC 3339") from error
    if moment.tzinfo is None:
        raise failure("ValueError", f"{name}: {value!r} has no time zone")
    return moment


def _time_parse(value: Value) -> Value:
    return (parse_time("time.parse", value) - _EPOCH).total_seconds()


FUNCTIONS: tuple[Function, ...] = (
    function("json.decode", _json_decode, "data"),
    function("json.encode", _json_encode, "data", indent=None),
    function("json.encode_to_string", _json_encode_to_string, "data", indent=None),
    function("base64.encode", _base64_encode, "data", padding=True),
    function("base64.decode", _base64_decode, "data", padding=True),
    function("hash.compute_checksum", _checksum, "data", "algorithm"),
    function("hash.compute_hmac", _hmac, "key", "data", "algorithm"),
    function("time.format", _time_format, "seconds", timezone="UTC"),
    function("time.parse", _time_parse, "value"),
)
