"""Field values as JSON that keeps their types, and back: what an export writes for what Firestore holds.

Text, booleans, null, arrays and maps are themselves. A number with a point or an exponent is a double, one without is
an integer. All else is a map of one key: {"$timestamp": RFC 3339}, {"$bytes": base64}, {"$reference": path},
{"$geopoint": [latitude, longitude]}, {"$vector": [doubles]}, {"$double": "NaN" | "Infinity" | "-Infinity"}; and a map
with a key that begins with $ is {"$map": {...}}.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta, timezone
from typing import Any

from shared.errors import InputError

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_DEPTH = 24
"""Firestore takes 20 levels of maps and arrays."""
_INTEGERS = range(-(2**63), 2**63)
_SPECIAL = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def line_of(path: str, fields: Mapping[str, Any]) -> str:
    """A document as its one line: the same document is always the same line. `fields` are as `to_json` made them."""
    return json.dumps(
        {"path": path, "fields": fields}, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )


def to_json(value: Any, root: str) -> Any:
    """A value of the client as JSON. `root` is the whole path of the workspace: references below it are relative."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"$double": _name_of(value)}
    if isinstance(value, bytes):
        return {"$bytes": base64.b64encode(value).decode()}
    if isinstance(value, datetime):
        return {"$timestamp": moment(value)}
    if isinstance(value, Mapping):
        plain = {str(name): to_json(each, root) for name, each in value.items()}
        return {"$map": plain} if any(name.startswith("$") for name in plain) else plain
    if isinstance(value, (list, tuple)):
        return [to_json(each, root) for each in value]
    return _library(value, root)


def _library(value: Any, root: str) -> Any:
    from google.cloud.firestore_v1 import DocumentReference, GeoPoint
    from google.cloud.firestore_v1.vector import Vector

    if isinstance(value, Vector):
        return {"$vector": [to_json(float(each), root) for each in value]}
    if isinstance(value, GeoPoint):
        return {"$geopoint": [float(value.latitude), float(value.longitude)]}
    if isinstance(value, DocumentReference):
        below = value.path.removeprefix(f"{root}/")
        return {"$reference": below if below != value.path else f"/{value.path}"}
    raise TypeError(f"a value of {type(value).__name__} is none of Firestore's")


def fields_from(given: Mapping[str, Any], refer: Callable[[str], Any]) -> dict[str, Any]:
    """The client's fields of what `to_json` wrote. `refer` makes a reference of a path. Raises InputError."""
    return _map(given, refer, 0)


def _value(value: Any, refer: Callable[[str], Any], depth: int) -> Any:
    if depth > _DEPTH:
        raise InputError("fields: they are nested too deeply", field="fields")
    if isinstance(value, list):
        return [_value(each, refer, depth + 1) for each in value]
    if isinstance(value, dict):
        tag = next(iter(value)) if len(value) == 1 else ""
        if tag.startswith("$"):
            return _tagged(tag, value[tag], refer, depth)
        if any(name.startswith("$") for name in value):
            raise InputError("fields: a map with a key that begins with $ is written as $map", field="fields")
        return _map(value, refer, depth)
    if isinstance(value, int) and not isinstance(value, bool) and value not in _INTEGERS:
        raise InputError("fields: an integer has 64 bits at most", field="fields")
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError("fields: a number is too large for one", field="fields")
    return value


def _map(given: Mapping[str, Any], refer: Callable[[str], Any], depth: int) -> dict[str, Any]:
    if "" in given:
        raise InputError("fields: a name is not empty", field="fields")
    return {name: _value(each, refer, depth + 1) for name, each in given.items()}


def _tagged(tag: str, given: Any, refer: Callable[[str], Any], depth: int) -> Any:
    try:
        if tag == "$map" and isinstance(given, dict):
            return _map(given, refer, depth)
        if tag == "$timestamp":
            return parse_moment(given)
        if tag == "$bytes":
            return base64.b64decode(given, validate=True)
        if tag == "$double":
            return _SPECIAL[given]
        if tag == "$reference" and isinstance(given, str):
            return refer(given)
        if tag in ("$vector", "$geopoint"):
            return _numbers(tag, [float(_value(each, refer, depth)) for each in given])
    except (ValueError, TypeError, KeyError, OverflowError, binascii.Error) as error:
        raise InputError(f"fields: this is no {tag}", field="fields") from error
    raise InputError(f"fields: there is no kind of value {tag[:40]}", field="fields")


def _numbers(tag: str, numbers: list[float]) -> Any:
    from google.cloud.firestore_v1 import GeoPoint
    from google.cloud.firestore_v1.vector import Vector

    return Vector(numbers) if tag == "$vector" else GeoPoint(*numbers)


def moment(value: datetime) -> str:
    """A timestamp to the microsecond, which is what Firestore keeps."""
    return (_EPOCH + (value - _EPOCH)).strftime("%Y-%m-%dT%H:%M:%S.%fZ").rjust(27, "0")


def parse_moment(text: str) -> datetime:
    """Raises ValueError for what is no moment of a timestamp."""
    found = datetime.fromisoformat(text)
    if found.tzinfo is None:
        raise ValueError("it has no time zone")
    return found.astimezone(timezone.utc) + timedelta(0)


def _name_of(value: float) -> str:
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
