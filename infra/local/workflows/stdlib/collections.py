"""list.*, map.* and math.* (reference/stdlib/list, map, math)."""

from __future__ import annotations

import math

from infra.local.workflows.errors import failure
from infra.local.workflows.expressions.operators import checked
from infra.local.workflows.stdlib.functions import Function, function, mapping, number, sequence, string
from infra.local.workflows.values import Value


def _concat(objs: Value, val: Value) -> Value:
    return [*sequence("list.concat", objs), val]


def _prepend(objs: Value, val: Value) -> Value:
    return [val, *sequence("list.prepend", objs)]


def _get(map: Value, keys: Value) -> Value:
    """The value under a key, or under a path of keys; null when anything on the way is missing."""
    current = map
    for key in keys if isinstance(keys, list) else [keys]:
        if current is None:
            return None
        if isinstance(current, list) and isinstance(key, int) and not isinstance(key, bool):
            current = current[key] if 0 <= key < len(current) else None
        else:
            current = mapping("map.get", current).get(string("map.get", key))
    return current


def _delete(map: Value, key: Value) -> Value:
    name = string("map.delete", key)
    if name not in mapping("map.delete", map):
        raise failure("KeyError", f"key not found: {name}")
    return {one: value for one, value in map.items() if one != name}


def _merge(first: Value, second: Value) -> Value:
    return mapping("map.merge", first) | mapping("map.merge", second)


def _merge_nested(first: Value, second: Value) -> Value:
    merged = dict(mapping("map.merge_nested", first))
    for key, value in mapping("map.merge_nested", second).items():
        nested = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = _merge_nested(merged[key], value) if nested else value
    return merged


def _abs(x: Value) -> Value:
    return checked(abs(number("math.abs", x)))


def _floor(x: Value) -> Value:
    value = number("math.floor", x)
    if not math.isfinite(value):
        raise failure("ValueError", "math.floor: the number is not finite")
    return checked(math.floor(value))


def _max(x: Value, y: Value) -> Value:
    return max(number("math.max", x), number("math.max", y))


def _min(x: Value, y: Value) -> Value:
    return min(number("math.min", x), number("math.min", y))


FUNCTIONS: tuple[Function, ...] = (
    function("list.concat", _concat, "objs", "val"),
    function("list.prepend", _prepend, "objs", "val"),
    function("map.get", _get, "map", "keys"),
    function("map.delete", _delete, "map", "key"),
    function("map.merge", _merge, "first", "second"),
    function("map.merge_nested", _merge_nested, "first", "second"),
    function("math.abs", _abs, "x"),
    function("math.floor", _floor, "x"),
    function("math.max", _max, "x", "y"),
    function("math.min", _min, "x", "y"),
)
