"""Values as they stand in a source: constants, expressions, and maps and lists of both."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from infra.local.workflows.errors import WorkflowError
from infra.local.workflows.expressions.evaluate import Names, evaluate
from infra.local.workflows.expressions.lexer import ExpressionError
from infra.local.workflows.expressions.nodes import Call, Node, calls_in
from infra.local.workflows.expressions.parser import parse
from infra.local.workflows.limits import EXPRESSION_CHARACTERS
from infra.local.workflows.source.yaml_items import Item
from infra.local.workflows.values import Value, copy

_EXPRESSION = re.compile(r"\s*\$\{(.*)\}\s*", re.DOTALL)


@dataclass(frozen=True)
class Constant:
    value: Value


@dataclass(frozen=True)
class Computed:
    node: Node
    line: int


@dataclass(frozen=True)
class MapTemplate:
    items: tuple[tuple[str, Template], ...]


@dataclass(frozen=True)
class ListTemplate:
    items: tuple[Template, ...]


Template: TypeAlias = Constant | Computed | MapTemplate | ListTemplate


def is_expression(value: object) -> bool:
    """Whether a scalar is written as `${...}`; a `${` in the middle of a string is plain text."""
    return isinstance(value, str) and _EXPRESSION.fullmatch(value) is not None


def expression(text: str, line: int, file: str) -> Computed:
    """A `${...}` as a tree. Raises WorkflowError; the limit counts what is written, `${` and `}` included."""
    found = _EXPRESSION.fullmatch(text)
    if len(text.strip()) > EXPRESSION_CHARACTERS:
        raise WorkflowError(
            file, line, f"the expression has {len(text.strip())} characters, more than {EXPRESSION_CHARACTERS}"
        )
    try:
        return Computed(parse(found.group(1) if found else text), line)
    except ExpressionError as error:
        raise WorkflowError(file, line, f"cannot parse the expression {text.strip()}: {error}") from error


def template(item: Item, file: str) -> Template:
    """Compile an item. Raises WorkflowError."""
    if isinstance(item.value, dict):
        return MapTemplate(tuple((key, template(child, file)) for key, child in item.value.items()))
    if isinstance(item.value, list):
        return ListTemplate(tuple(template(child, file) for child in item.value))
    if is_expression(item.value):
        return expression(item.value, item.line, file)
    return Constant(item.value)


def fill(shape: Template, names: Names) -> Value:
    """The value of a template; a fresh copy, shared with no variable."""
    match shape:
        case Constant(value=value):
            return value
        case Computed(node=node):
            return copy(evaluate(node, names))
        case MapTemplate(items=pairs):
            return {key: fill(one, names) for key, one in pairs}
        case ListTemplate(items=items):
            return [fill(one, names) for one in items]


def function_calls(shape: Template) -> list[tuple[Call, int]]:
    """Every function call in a template's expressions, with its line."""
    match shape:
        case Computed(node=node, line=line):
            return [(call, line) for call in calls_in(node)]
        case MapTemplate(items=pairs):
            return [found for _, one in pairs for found in function_calls(one)]
        case ListTemplate(items=items):
            return [found for one in items for found in function_calls(one)]
        case _:
            return []
