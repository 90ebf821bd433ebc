"""A compiled workflow: routines, blocks of steps by path, and the actions of steps.

A block's path, such as `main/2/try`, names the same place each time the same source is compiled,
so a stored position means the same after a restart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from infra.local.workflows.expressions.nodes import Node
from infra.local.workflows.source.templates import Template
from infra.local.workflows.values import Value


@dataclass(frozen=True)
class Jump:
    """Where `next` leads: a step of an enclosing block, or end, break, continue."""

    kind: str
    block: str = ""
    index: int = 0


@dataclass(frozen=True)
class Nothing:
    """A step that only jumps."""


@dataclass(frozen=True)
class Assign:
    pairs: tuple[tuple[Node, Template], ...]


@dataclass(frozen=True)
class Call:
    function: str
    arguments: Template | None
    result: str | None


@dataclass(frozen=True)
class Case:
    condition: Template
    block: str


@dataclass(frozen=True)
class Switch:
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class Nested:
    block: str


@dataclass(frozen=True)
class For:
    """A loop over a list (`items`) or from `first` to `last`, both included."""

    value: str
    index: str | None
    items: Template | None
    bounds: tuple[Template, Template] | None
    block: str


@dataclass(frozen=True)
class Parallel:
    shared: tuple[str, ...]
    limit: Template | None
    branches: tuple[tuple[str, str], ...]
    loop: For | None


@dataclass(frozen=True)
class Try:
    block: str
    retry: Template | None
    error_name: str | None
    handler: str | None


@dataclass(frozen=True)
class Raise:
    error: Template


@dataclass(frozen=True)
class Return:
    value: Template


Action: TypeAlias = Nothing | Assign | Call | Switch | Nested | For | Parallel | Try | Raise | Return


@dataclass(frozen=True)
class Step:
    name: str
    line: int
    action: Action
    jump: Jump | None


@dataclass(frozen=True)
class Parameter:
    name: str
    required: bool
    default: Value = None


@dataclass(frozen=True)
class Routine:
    name: str
    parameters: tuple[Parameter, ...]
    block: str
    line: int


@dataclass(frozen=True)
class Program:
    file: str
    routines: dict[str, Routine]
    blocks: dict[str, tuple[Step, ...]]
