"""Functions named as values: the predicates and policies of `retry`."""

from __future__ import annotations

from collections.abc import Set

from infra.local.workflows.expressions.nodes import dotted_name
from infra.local.workflows.source.templates import Computed, Constant, ListTemplate, MapTemplate, Template
from infra.local.workflows.stdlib.retry import CONSTANTS
from infra.local.workflows.values import FunctionRef


def with_references(shape: Template, routines: Set[str]) -> Template:
    """The template with `${http.default_retry}`, `${my_predicate}` and the like made constants."""
    match shape:
        case Computed(node=node):
            name = dotted_name(node) or ""
            if name in CONSTANTS:
                return Constant(CONSTANTS[name])
            return Constant(FunctionRef(name)) if name in routines else shape
        case MapTemplate(items=pairs):
            return MapTemplate(tuple((key, with_references(one, routines)) for key, one in pairs))
        case ListTemplate() | Constant():
            return shape
