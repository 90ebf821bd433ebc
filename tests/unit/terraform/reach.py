"""What a deployed function can call, read from the sources: its main.py, the App it asks, the modules these import."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from infra.packages.imports import BOOTSTRAP, imported, members, tree_of

ROOT = Path(__file__).parents[3]

CAPABILITIES: Mapping[str, str] = {
    "firestore": "shared.store.client",
    "executions": "shared.gateway.workflows",
    "callbacks": "shared.gateway.callbacks",
    "publish": "shared.gateway.pubsub",
    "objects": "shared.gateway.objects",
    "models": "shared.llm.assembly",
    "research": "shared.gateway.interactions",
    "sessions": "shared.sessions.assembly",
}
"""What an account may need permission for, and the module that only who does it loads."""

EDGES = (BOOTSTRAP, "shared.api.table")
"""Modules that know everything; what is reached through them is told by the members asked for, or by the routes."""


def capabilities(entry_point: str) -> frozenset[str]:
    """The capabilities that functions/{entry_point}/main.py can reach through imports and members of the App."""
    modules: set[str] = set()
    asked: set[str] = set()
    _follow(_start(entry_point), modules)
    pending = {name for module in modules for name in _asked(module)} & set(members(ROOT))
    while pending:
        name = pending.pop()
        asked.add(name)
        imports, others = members(ROOT)[name]
        _follow(imports, modules)
        more = others | {other for module in imports for other in _asked(module)}
        pending |= (more & set(members(ROOT))) - asked
    return frozenset(name for name, module in CAPABILITIES.items() if module in modules)


def _start(entry_point: str) -> set[str]:
    return {f"functions.{entry_point}.main"} | _routed(entry_point)


def _routed(entry_point: str) -> set[str]:
    """The modules of the handlers that the route table gives to that function."""
    from shared.api.table import ROUTES

    return {route.handler.__module__ for route in ROUTES if route.function == entry_point}


def _follow(start: set[str], modules: set[str]) -> None:
    pending = start - modules
    while pending:
        module = pending.pop()
        modules.add(module)
        if module not in EDGES:
            pending |= imported(ROOT, module) - modules


@cache
def _asked(module: str) -> frozenset[str]:
    """Names of attributes that this module reads of something called memex, app or app()."""
    if module == BOOTSTRAP:
        return frozenset()
    found = set()
    for node in ast.walk(tree_of(ROOT, module)):
        if isinstance(node, ast.Attribute):
            value = node.value.func if isinstance(node.value, ast.Call) else node.value
            name = value.id if isinstance(value, ast.Name) else value.attr if isinstance(value, ast.Attribute) else ""
            if name in ("memex", "app"):
                found.add(node.attr)
    return frozenset(found)
