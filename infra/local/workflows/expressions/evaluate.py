"""Evaluation of an expression against variables and functions."""

from __future__ import annotations

from typing import Protocol

from infra.local.workflows.errors import failure
from infra.local.workflows.expressions.nodes import (
    Binary,
    Call,
    Index,
    ListOf,
    Literal,
    Member,
    Name,
    Node,
    Unary,
)
from infra.local.workflows.expressions.operators import apply, negate
from infra.local.workflows.values import Value, type_name


class Names(Protocol):
    """What an expression can refer to."""

    def variable(self, name: str) -> Value:
        """A variable's value; raises a KeyError map."""

    def call(self, function: str, arguments: list[Value]) -> Value:
        """A non-blocking function's answer."""


def evaluate(node: Node, names: Names) -> Value:
    """The value of an expression. Raises Raised with the documented error maps."""
    match node:
        case Literal(value=value):
            return value
        case Name(name=name):
            return names.variable(name)
        case Member(owner=owner, key=key):
            return member(evaluate(owner, names), key)
        case Index(owner=owner, index=index):
            return item(evaluate(owner, names), evaluate(index, names))
        case Call(function=function, arguments=arguments):
            return _call(function, arguments, names)
        case Unary(operator=operator, operand=operand):
            return negate(operator, evaluate(operand, names))
        case Binary(operator="and" | "or" as operator, left=left, right=right):
            return _logical(operator, left, right, names)
        case Binary(operator=operator, left=left, right=right):
            return apply(operator, evaluate(left, names), evaluate(right, names))
        case ListOf(items=items):
            return [evaluate(one, names) for one in items]


def _call(function: str, arguments: tuple[Node, ...], names: Names) -> Value:
    if function == "if" and len(arguments) == 3:  # only the chosen side is evaluated
        condition = evaluate(arguments[0], names)
        chosen = condition is not None and _boolean("if", condition)
        return evaluate(arguments[1 if chosen else 2], names)
    return names.call(function, [evaluate(one, names) for one in arguments])


def _logical(operator: str, left: Node, right: Node, names: Names) -> bool:
    first = _boolean(operator, evaluate(left, names))
    if first is (operator == "or"):
        return first
    return _boolean(operator, evaluate(right, names))


def _boolean(operator: str, value: Value) -> bool:
    if not isinstance(value, bool):
        raise failure("TypeError", f"unsupported operand type for {operator}: '{type_name(value)}'")
    return value


def member(owner: Value, key: str) -> Value:
    """`owner.key`"""
    if not isinstance(owner, dict):
        raise failure("TypeError", f"cannot read the key '{key}' of a value of type '{type_name(owner)}'")
    if key not in owner:
        raise failure("KeyError", f"key not found: {key}")
    return owner[key]


def item(owner: Value, index: Value) -> Value:
    """`owner[index]`"""
    if isinstance(owner, dict):
        if not isinstance(index, str):
            raise failure("TypeError", f"a map is indexed by strings, not by '{type_name(index)}'")
        return member(owner, index)
    if not isinstance(owner, list):
        raise failure("TypeError", f"a value of type '{type_name(owner)}' cannot be indexed")
    return owner[position(owner, index)]


def position(owner: list[Value], index: Value) -> int:
    """A valid list index, or the documented error: there are no negative ones."""
    if not isinstance(index, int) or isinstance(index, bool):
        raise failure("TypeError", f"a list is indexed by integers, not by '{type_name(index)}'")
    if not 0 <= index < len(owner):
        raise failure("IndexError", f"index out of range: {index} (length {len(owner)})")
    return index
