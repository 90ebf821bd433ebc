"""What a deployed function can call, read from the sources: its main.py, the App it asks, the modules these import."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]
BOOTSTRAP = ROOT / "shared" / "bootstrap.py"
TYPE_CHECKING = "TYPE_CHECKING"

CAPABILITIES: Mapping[str, str] = {
    "firestore": "shared.store.client",
    "executions": "shared.gateway.workflows",
    "publish": "shared.gateway.pubsub",
    "objects": "shared.gateway.objects",
    "models": "shared.llm.assembly",
    "research": "shared.gateway.interactions",
    "sessions": "shared.sessions.assembly",
}
"""What an account may need permission for, and the module that only who does it loads."""

EDGES = ("shared.bootstrap", "shared.api.table")
"""Modules that know everything; what is reached through them is told by the members asked for, or by the routes."""


def capabilities(entry_point: str) -> frozenset[str]:
    """The capabilities that functions/{entry_point}/main.py can reach through imports and members of the App."""
    modules: set[str] = set()
    members: set[str] = set()
    _follow(_start(entry_point), modules)
    pending = {name for module in modules for name in _asked(module)} & set(_members())
    while pending:
        name = pending.pop()
        members.add(name)
        imported, others = _members()[name]
        _follow(imported, modules)
        asked = others | {other for module in imported for other in _asked(module)}
        pending |= (asked & set(_members())) - members
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
            pending |= _imports(module) - modules


@cache
def _imports(module: str) -> frozenset[str]:
    """Modules of ours that this one imports anywhere but for types."""
    tree = _tree(module)
    return frozenset() if tree is None else frozenset(_imported(tree))


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in _at_run_time(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith(("shared.", "functions.")))
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in ("shared", "functions"):
            yield node.module
            yield from (f"{node.module}.{a.name}" for a in node.names if _path(f"{node.module}.{a.name}") is not None)


def _at_run_time(tree: ast.AST) -> Iterator[ast.AST]:
    yield tree
    for child in ast.iter_child_nodes(tree):
        if not (isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == TYPE_CHECKING):
            yield from _at_run_time(child)


@cache
def _asked(module: str) -> frozenset[str]:
    """Names of attributes that this module reads of something called memex, app or app()."""
    tree = _tree(module)
    return frozenset() if tree is None else frozenset(_attributes(tree, ("memex", "app")))


def _attributes(tree: ast.AST, owners: tuple[str, ...]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            value = node.value.func if isinstance(node.value, ast.Call) else node.value
            name = value.id if isinstance(value, ast.Name) else value.attr if isinstance(value, ast.Attribute) else ""
            if name in owners:
                yield node.attr


@cache
def _members() -> dict[str, tuple[set[str], set[str]]]:
    """By member of the App: the modules it imports, and the other members it reads."""
    app = next(node for node in _parse(BOOTSTRAP).body if isinstance(node, ast.ClassDef) and node.name == "App")
    methods = [node for node in app.body if isinstance(node, ast.FunctionDef) and node.name != "__init__"]
    return {node.name: (set(_imported(node)), set(_attributes(node, ("self",)))) for node in methods}


def _tree(module: str) -> ast.Module | None:
    path = _path(module)
    return None if path is None or module == "shared.bootstrap" else _parse(path)


@cache
def _path(module: str) -> Path | None:
    base = ROOT.joinpath(*module.split("."))
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)


@cache
def _parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))
