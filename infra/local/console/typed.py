"""Fields of documents as JSON that loses no type: what JSON has stays plain, the rest is an object with one "$" name.

    text, true, null, [..], {..}   as they are         {"$timestamp": "2026-01-01T00:00:00Z"}
    12                             an integer          {"$bytes": "aGVsbG8="}
    1.5                            a double            {"$reference": "workspaces/demo"}
    {"$double": 12}                a whole double      {"$geo": {"latitude": 1.5, "longitude": 2.5}}
    {"$integer": "9007199254740993"}  a large integer  {"$vector": [1, 2.5]}
    {"$map": {"$x": 1}}            a map that would be taken for one of these

A number is tagged wherever JavaScript would lose its kind or its digits.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
from collections.abc import Callable
from typing import Any

from infra.local.console.answers import Refusal
from infra.local.firestore import wire
from infra.local.firestore.encoding import is_vector

EXACT = 2**53
DEEPEST = 40
ODD_DOUBLES = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf, "-0": -0.0}


def fields_json(fields: Any, database: str) -> dict[str, Any]:
    """A document's fields, by name in order; `database` is what references are shortened by."""
    return {name: _json(fields[name], database) for name in sorted(fields)}


def read_fields(content: Any, database: str) -> dict[str, Any]:
    """Raw Values by name. Raises Refusal 400 that names the field."""
    if not isinstance(content, dict):
        raise Refusal(400, "The fields of a document are a JSON object.", "fields")
    return {_text(name, name): _value(content[name], name, database, 0) for name in content}


def _json(value: Any, database: str) -> Any:
    kind = value.WhichOneof("value_type")
    if kind == "map_value":
        return _map_json(value, database)
    if kind == "array_value":
        return [_json(element, database) for element in value.array_value.values]
    return _PLAIN[kind](value, database)


def _map_json(value: Any, database: str) -> Any:
    if is_vector(value) and len(value.map_value.fields) == 2:
        elements = value.map_value.fields["value"].array_value.values
        if all(element.WhichOneof("value_type") == "double_value" for element in elements):
            return {"$vector": [_number_json(element.double_value) for element in elements]}
    found = fields_json(value.map_value.fields, database)
    return {"$map": found} if len(found) == 1 and next(iter(found)).startswith("$") else found


def _integer_json(value: Any, _database: str) -> Any:
    whole = value.integer_value
    return whole if -EXACT <= whole <= EXACT else {"$integer": str(whole)}


def _double_json(value: Any, _database: str) -> Any:
    double = value.double_value
    plain = math.isfinite(double) and not double.is_integer()
    return double if plain else {"$double": _number_json(double)}


def _number_json(double: float) -> float | str:
    """A number, or the name of a double that JSON has not."""
    if math.isnan(double):
        return "NaN"
    if math.isinf(double):
        return "Infinity" if double > 0 else "-Infinity"
    return "-0" if double == 0 and math.copysign(1, double) < 0 else double


def _geo_json(value: Any, _database: str) -> Any:
    point = value.geo_point_value
    return {"$geo": {"latitude": point.latitude, "longitude": point.longitude}}


_PLAIN: dict[str | None, Callable[[Any, str], Any]] = {
    "null_value": lambda value, _: None,
    "boolean_value": lambda value, _: value.boolean_value,
    "string_value": lambda value, _: value.string_value,
    "integer_value": _integer_json,
    "double_value": _double_json,
    "timestamp_value": lambda value, _: {"$timestamp": value.timestamp_value.ToJsonString()},
    "bytes_value": lambda value, _: {"$bytes": base64.b64encode(value.bytes_value).decode()},
    "reference_value": lambda value, database: {
        "$reference": value.reference_value.removeprefix(f"{database}/documents/")
    },
    "geo_point_value": _geo_json,
}


def _value(content: Any, where: str, database: str, depth: int) -> Any:
    if depth > DEEPEST:
        raise Refusal(400, f"{where} is nested too deeply.", where)
    if isinstance(content, dict):
        if len(content) == 1 and (tag := next(iter(content))).startswith("$"):
            return _tagged(tag, content[tag], where, database, depth)
        return _map(content, where, database, depth)
    if isinstance(content, list):
        values = [_value(one, f"{where}[{at}]", database, depth + 1) for at, one in enumerate(content)]
        return wire.Value(array_value={"values": values})
    if isinstance(content, str):
        return wire.Value(string_value=_text(content, where))
    if content is None:
        return wire.Value(null_value=0)
    if isinstance(content, bool):
        return wire.Value(boolean_value=content)
    return _integer(content, where) if isinstance(content, int) else wire.Value(double_value=content)


def _tagged(tag: str, content: Any, where: str, database: str, depth: int) -> Any:
    if tag == "$map":
        if not isinstance(content, dict):
            raise Refusal(400, f"{where}: $map takes an object.", where)
        return _map(content, where, database, depth)
    if tag == "$reference":
        return _reference(content, where, database)
    if tag not in _TAGS:
        known = ", ".join(sorted([*_TAGS, "$map", "$reference"]))
        raise Refusal(400, f"{where}: there is no type {tag}; there are {known}. A map with this name is $map.", where)
    return _TAGS[tag](content, where)


def _map(content: dict[str, Any], where: str, database: str, depth: int) -> Any:
    value = wire.Value(map_value={})
    for name, one in content.items():
        inner = f"{where}.{name}"
        value.map_value.fields[_text(name, inner)].CopyFrom(_value(one, inner, database, depth + 1))
    return value


def _reference(content: Any, where: str, database: str) -> Any:
    if not isinstance(content, str) or not content:
        raise Refusal(400, f"{where}: $reference takes the path of a document, such as workspaces/demo.", where)
    name = content if content.startswith("projects/") else f"{database}/documents/{content}"
    return wire.Value(reference_value=_text(name, where))


def _integer(content: Any, where: str) -> Any:
    try:
        whole = int(content) if isinstance(content, str | int) and not isinstance(content, bool) else None
    except ValueError:
        whole = None
    if whole is None:
        raise Refusal(400, f"{where}: {_short(content)} is no integer.", where)
    if not -(2**63) <= whole < 2**63:
        raise Refusal(400, f"{where}: {_short(content)} does not fit 64 bits.", where)
    return wire.Value(integer_value=whole)


def _double(content: Any, where: str) -> float:
    if isinstance(content, str) and content in ODD_DOUBLES:
        return ODD_DOUBLES[content]
    if isinstance(content, bool) or not isinstance(content, int | float):
        known = ", ".join(ODD_DOUBLES)
        raise Refusal(400, f"{where}: {_short(content)} is no double; take a number or {known}.", where)
    try:
        return float(content)
    except OverflowError as error:
        raise Refusal(400, f"{where}: {_short(content)} is too large for a double.", where) from error


def _timestamp(content: Any, where: str) -> Any:
    moment = wire.Timestamp()
    try:
        moment.FromJsonString(content)
    except (ValueError, TypeError, AttributeError) as error:
        example = "2026-01-31T12:00:00Z"
        raise Refusal(400, f"{where}: {_short(content)} is no timestamp; write it as {example}.", where) from error
    return wire.Value(timestamp_value=moment)


def _bytes(content: Any, where: str) -> Any:
    try:
        return wire.Value(bytes_value=base64.b64decode(content, validate=True))
    except (binascii.Error, ValueError, TypeError) as error:
        raise Refusal(400, f"{where}: {_short(content)} is not base64.", where) from error


def _geo(content: Any, where: str) -> Any:
    if not isinstance(content, dict) or set(content) != {"latitude", "longitude"}:
        raise Refusal(400, f"{where}: $geo takes an object with latitude and longitude.", where)
    point = {name: _double(part, f"{where}.{name}") for name, part in content.items()}
    return wire.Value(geo_point_value=point)


def _vector(content: Any, where: str) -> Any:
    if not isinstance(content, list):
        raise Refusal(400, f"{where}: $vector takes a list of numbers.", where)
    numbers = [wire.Value(double_value=_double(one, f"{where}[{at}]")) for at, one in enumerate(content)]
    value = wire.Value(map_value={})
    value.map_value.fields["__type__"].string_value = "__vector__"
    value.map_value.fields["value"].CopyFrom(wire.Value(array_value={"values": numbers}))
    return value


_TAGS: dict[str, Callable[[Any, str], Any]] = {
    "$integer": _integer,
    "$double": lambda content, where: wire.Value(double_value=_double(content, where)),
    "$timestamp": _timestamp,
    "$bytes": _bytes,
    "$geo": _geo,
    "$vector": _vector,
}


def _text(content: str, where: str) -> str:
    try:
        content.encode()
    except UnicodeEncodeError as error:
        raise Refusal(400, f"{where!a}: half of a surrogate pair is no text.", ascii(where)) from error
    return content


def _short(content: Any) -> str:
    text = json.dumps(content)
    return text if len(text) <= 60 else f"{text[:57]}..."
