"""The expression helpers (reference/stdlib/expression-helpers)."""

from __future__ import annotations

import math

from infra.local.workflows.errors import failure
from infra.local.workflows.expressions.operators import checked
from infra.local.workflows.stdlib.functions import Function, function, wrong_type
from infra.local.workflows.values import Value, is_number, to_json, type_name


def _default(val: Value, default_val: Value) -> Value:
    return default_val if val is None else val


def _keys(map: Value) -> Value:
    if not isinstance(map, dict):
        raise wrong_type("keys", map, "a map")
    return list(map)


def _len(value: Value) -> Value:
    if not isinstance(value, list | dict | str):
        raise wrong_type("len", value, "a list, a map or a string")
    return len(value)


def _int(value: Value) -> Value:
    if isinstance(value, str):
        try:
            return checked(int(value, 10))
        except ValueError:
            raise failure("ValueError", f"int: {value!r} is not an integer") from None
    if not is_number(value):
        raise wrong_type("int", value, "a string or a number")
    if not math.isfinite(value):
        raise failure("ValueError", "int: the number is not finite")
    return checked(int(value))


def _double(value: Value) -> Value:
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            raise failure("ValueError", f"double: {value!r} is not a number") from None
    if not is_number(value):
        raise wrong_type("double", value, "a string or a number")
    return float(value)


def _string(value: Value) -> Value:
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or is_number(value):
        return to_json(value)
    raise wrong_type("string", value, "a number, a boolean or a string")


def _not(value: Value) -> Value:
    if not isinstance(value, bool):
        raise wrong_type("not", value, "a boolean")
    return not value


def _if(condition: Value, if_true: Value, if_false: Value) -> Value:
    if condition is not None and not isinstance(condition, bool):
        raise wrong_type("if", condition, "a boolean")
    return if_true if condition else if_false


FUNCTIONS: tuple[Function, ...] = (
    function("default", _default, "val", "default_val"),
    function("keys", _keys, "map"),
    function("len", _len, "value"),
    function("int", _int, "value"),
    function("double", _double, "value"),
    function("string", _string, "value"),
    function("get_type", type_name, "value"),
    function("not", _not, "value"),
    function("if", _if, "condition", "if_true", "if_false"),
)
