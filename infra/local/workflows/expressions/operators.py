"""What the operators do to values; no implicit conversion but integer to double."""

from __future__ import annotations

import operator as python
from collections.abc import Callable

from infra.local.workflows.errors import failure
from infra.local.workflows.values import INT_MAX, INT_MIN, Value, equal, is_number, type_name

_ARITHMETIC: dict[str, Callable[[Value, Value], Value]] = {
    "+": python.add,
    "-": python.sub,
    "*": python.mul,
    "/": python.truediv,
    "//": python.floordiv,
    "%": python.mod,
}
_ORDER: dict[str, Callable[[Value, Value], bool]] = {
    "<": python.lt,
    "<=": python.le,
    ">": python.gt,
    ">=": python.ge,
}


def negate(operator: str, value: Value) -> Value:
    """`not value` or `-value`"""
    if operator == "not" and isinstance(value, bool):
        return not value
    if operator == "-" and is_number(value):
        return checked(-value)
    raise failure("TypeError", f"unsupported operand type for {operator}: '{type_name(value)}'")


def apply(operator: str, left: Value, right: Value) -> Value:
    """`left operator right` for every operator but `and` and `or`."""
    if operator == "==":
        return equal(left, right)
    if operator == "!=":
        return not equal(left, right)
    if operator == "in":
        return contains(right, left)
    if operator in _ORDER:
        return _compare(operator, left, right)
    return _calculate(operator, left, right)


def contains(container: Value, value: Value) -> bool:
    """Whether a list holds a value or a map a key."""
    if isinstance(container, list):
        return any(equal(value, one) for one in container)
    if isinstance(container, dict):
        return isinstance(value, str) and value in container
    raise failure("TypeError", f"'in' needs a list or a map on its right, not '{type_name(container)}'")


def _compare(operator: str, left: Value, right: Value) -> bool:
    if (is_number(left) and is_number(right)) or (isinstance(left, str) and isinstance(right, str)):
        return _ORDER[operator](left, right)
    raise _unsupported(operator, left, right)


def _calculate(operator: str, left: Value, right: Value) -> Value:
    if operator == "+" and isinstance(left, str) and isinstance(right, str):
        return left + right
    if not (is_number(left) and is_number(right)):
        raise _unsupported(operator, left, right)
    if operator in ("/", "//", "%") and right == 0:
        raise failure("ZeroDivisionError", "division by zero")
    return checked(_ARITHMETIC[operator](left, right))


def checked(number: int | float) -> int | float:
    """The number, or a ValueError when an integer leaves 64 bits."""
    if isinstance(number, int) and not INT_MIN <= number <= INT_MAX:
        raise failure("ValueError", "integer overflow")
    return number


def _unsupported(operator: str, left: Value, right: Value) -> Exception:
    kinds = f"'{type_name(left)}' and '{type_name(right)}'"
    return failure("TypeError", f"unsupported operand types for {operator}: {kinds}")
