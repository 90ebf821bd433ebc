"""The syntax tree of an expression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from infra.local.workflows.values import Value


@dataclass(frozen=True)
class Literal:
    value: Value


@dataclass(frozen=True)
class Name:
    name: str


@dataclass(frozen=True)
class Member:
    """`owner.key`"""

    owner: Node
    key: str


@dataclass(frozen=True)
class Index:
    """`owner[index]`"""

    owner: Node
    index: Node


@dataclass(frozen=True)
class Call:
    """`module.function(arguments)`"""

    function: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True)
class Unary:
    operator: str
    operand: Node


@dataclass(frozen=True)
class Binary:
    operator: str
    left: Node
    right: Node


@dataclass(frozen=True)
class ListOf:
    items: tuple[Node, ...]


Node: TypeAlias = Literal | Name | Member | Index | Call | Unary | Binary | ListOf


def dotted_name(node: Node) -> str | None:
    """`a.b.c` for a chain of names, else None."""
    if isinstance(node, Name):
        return node.name
    if isinstance(node, Member):
        owner = dotted_name(node.owner)
        return f"{owner}.{node.key}" if owner else None
    return None


def calls_in(node: Node) -> list[Call]:
    """Every function call in an expression."""
    found = [node] if isinstance(node, Call) else []
    for child in _children(node):
        found += calls_in(child)
    return found


def _children(node: Node) -> tuple[Node, ...]:
    match node:
        case Member(owner=owner):
            return (owner,)
        case Index(owner=owner, index=index):
            return (owner, index)
        case Call(arguments=arguments):
            return arguments
        case Unary(operand=operand):
            return (operand,)
        case Binary(left=left, right=right):
            return (left, right)
        case ListOf(items=items):
            return items
        case _:
            return ()
