"""What of our sources a function needs: read from its imports, wherever in a module they stand.

shared/bootstrap.py imports everything, each thing in the member of App that builds it. So of bootstrap only those
members count whose name is read by a module that knows of the App; a name read of something else only makes it more.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

OURS = ("functions", "shared")
BOOTSTRAP = "shared.bootstrap"
_KNOWS_APP = re.compile(r"shared\.bootstrap|shared\.api\.route|\b_?(?:app|memex)\.")
"""Who has an App imports its type, or that of a call which carries one, or reads something of it by its name."""
_MODULE = re.compile(r"(?:functions|shared)(?:\.\w+)+")


def needed(root: Path, start: str) -> set[str]:
    """Every module of ours that may be loaded when `start` is, packages included."""
    found: set[str] = set()
    asked: set[str] = set()
    pending = {start}
    while pending:
        while pending:
            module = pending.pop()
            if module not in found and path_of(root, module) is not None:
                found.add(module)
                pending |= {module.rpartition(".")[0], *imported(root, module)} - {""}
        if BOOTSTRAP in found:
            wanted = {name for module in found for name in _read(root, module)} & set(members(root))
            pending |= _built(root, wanted - asked)
            asked |= wanted
    return found


def _built(root: Path, wanted: set[str]) -> set[str]:
    """What those members of App import, and the members that they read."""
    seen: set[str] = set()
    found: set[str] = set()
    while wanted:
        member = wanted.pop()
        seen.add(member)
        modules, read = members(root)[member]
        found |= modules
        wanted |= (read & set(members(root))) - seen
    return found


def foreign(root: Path, modules: set[str]) -> set[str]:
    """Modules of others that those import, as they are written: google.cloud.workflows, flask."""
    found: set[str] = set()
    for module in modules - {BOOTSTRAP}:
        found |= {name for name in _names(root, module) if name.partition(".")[0] not in OURS}
    return found


def path_of(root: Path, module: str) -> Path | None:
    """The file of a module or package of ours; None where there is none."""
    base = root.joinpath(*module.split("."))
    return next((path for path in (base / "__init__.py", base.with_suffix(".py")) if path.is_file()), None)


@cache
def imported(root: Path, module: str) -> frozenset[str]:
    """Modules of ours that this one imports, or names in a string: processes are started by name."""
    tree = tree_of(root, module)
    if module == BOOTSTRAP:  # only what is outside of App's members, which are followed one by one
        tree = ast.Module([node for node in tree.body if not isinstance(node, ast.ClassDef)], [])
    told = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    names = {*_imports(tree), *(text for text in told if _MODULE.fullmatch(text))}
    return frozenset(name for name in names if path_of(root, name) is not None)


@cache
def _names(root: Path, module: str) -> frozenset[str]:
    return frozenset(_imports(tree_of(root, module)))


@cache
def _read(root: Path, module: str) -> frozenset[str]:
    """The names of all attributes that a module reads, if it knows of the App at all."""
    path = path_of(root, module)
    if module == BOOTSTRAP or path is None or not _KNOWS_APP.search(path.read_text("utf-8")):
        return frozenset()
    return frozenset(node.attr for node in ast.walk(tree_of(root, module)) if isinstance(node, ast.Attribute))


@cache
def members(root: Path) -> dict[str, tuple[set[str], set[str]]]:
    """By member of App: the modules it imports, and the names it reads of itself."""
    tree = tree_of(root, BOOTSTRAP)
    app = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "App")
    found = {}
    for node in app.body:
        if isinstance(node, ast.FunctionDef):
            read = {inner.attr for inner in ast.walk(node) if isinstance(inner, ast.Attribute)}
            found[node.name] = (set(_imports(node)), read)
    return found


@cache
def tree_of(root: Path, module: str) -> ast.Module:
    """The module's source, parsed; empty for what is none of ours."""
    path = path_of(root, module)
    return ast.parse(path.read_text(encoding="utf-8")) if path is not None else ast.Module([], [])


def _imports(tree: ast.AST) -> Iterator[str]:
    for node in _at_run_time(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _at_run_time(tree: ast.AST) -> Iterator[ast.AST]:
    yield tree
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING":
            continue
        yield from _at_run_time(child)
