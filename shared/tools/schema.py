"""The JSON Schema of a tool's arguments, as models take it: no references, no noise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

_NOISE = frozenset({"title", "additionalProperties", "default", "$defs"})


def parameters(arguments: type[BaseModel]) -> dict[str, Any]:
    """An object schema; what is optional simply is not required, whatever stands for "not given" inside."""
    schema = arguments.model_json_schema()
    plain: dict[str, Any] = _plain(schema, schema.get("$defs", {}))
    plain.pop("description", None)  # the tool has its own
    plain.setdefault("properties", {})
    return plain


def _plain(schema: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_plain(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        named = definitions[schema["$ref"].rpartition("/")[2]]
        return _plain({**named, **{key: value for key, value in schema.items() if key != "$ref"}}, definitions)
    if "anyOf" in schema and (chosen := _given(schema)) is not None:
        return _plain(chosen, definitions)
    return {key: _value(key, value, definitions) for key, value in schema.items() if key not in _NOISE}


def _value(key: str, value: Any, definitions: Mapping[str, Any]) -> Any:
    if key == "properties":
        return {name: _plain(each, definitions) for name, each in value.items()}
    return _plain(value, definitions)


def _given(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """Of "this or null" the one that is no null."""
    others = [each for each in schema["anyOf"] if each.get("type") != "null"]
    if len(others) != 1:
        return None
    return {**others[0], **{key: value for key, value in schema.items() if key != "anyOf"}}
