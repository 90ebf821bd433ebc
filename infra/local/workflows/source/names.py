"""Names: of steps, variables and subworkflows, and assignment targets."""

from __future__ import annotations

import re

from infra.local.workflows.expressions.lexer import WORDS, ExpressionError
from infra.local.workflows.expressions.nodes import Index, Member, Name, Node
from infra.local.workflows.expressions.parser import parse
from infra.local.workflows.source.context import Build

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_STEP = re.compile(r"[A-Za-z0-9_]+")
_RESERVED = {*WORDS, "true", "false", "null", "True", "False", "TRUE", "FALSE"}


def variable_name(text: object, line: int, build: Build, what: str = "variable") -> str:
    """A valid variable, parameter or subworkflow name. Raises WorkflowError."""
    if not isinstance(text, str) or not _NAME.fullmatch(text) or text in _RESERVED:
        raise build.fault(line, f"{text!r} is not a {what} name")
    return text


def step_name(text: str, line: int, build: Build) -> str:
    """A valid step name: letters, digits and underscores. Raises WorkflowError."""
    if not _STEP.fullmatch(text) or text in ("end", "break", "continue"):
        raise build.fault(line, f"{text!r} is not a step name")
    return text


def target(text: str, line: int, build: Build) -> Node:
    """What stands left in an assignment: a variable, or a place in one. Raises WorkflowError."""
    try:
        node = parse(text)
    except ExpressionError as error:
        raise build.fault(line, f"cannot assign to {text!r}: {error}") from error
    inner = node
    while isinstance(inner, Member | Index):
        inner = inner.owner
    if not isinstance(inner, Name):
        raise build.fault(line, f"cannot assign to {text!r}")
    return node


def root(node: Node) -> str:
    """The variable that an assignment target is part of."""
    while isinstance(node, Member | Index):
        node = node.owner
    assert isinstance(node, Name)
    return node.name
