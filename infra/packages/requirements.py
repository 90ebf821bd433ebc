"""The part of requirements.txt that a function needs: what it imports, and all that this requires."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution, distributions

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ALWAYS = ("functions-framework",)
NAMESPACES = frozenset({"google", "google.cloud"})
"""What many distributions share and none has."""
_BEGIN = re.compile(r"^([A-Za-z0-9._-]+)==")


def pinned(text: str, modules: Iterable[str]) -> str:
    """The entries of the locked `text` for what those modules of others need, hashes included.

    Raises KeyError for a module that no installed and locked distribution has.
    """
    entries = dict(_entries(text))
    wanted = set()
    names = {module for module in modules if module.partition(".")[0] not in sys.stdlib_module_names}
    for module in names - {name.rpartition(".")[0] for name in names} - NAMESPACES:
        wanted |= _having(module, frozenset(entries))
    closed = _closed({canonicalize_name(name) for name in (*wanted, *ALWAYS)}, set(entries))
    return "".join(entries[name] for name in sorted(closed))


def _entries(text: str) -> Iterator[tuple[str, str]]:
    """Each distribution of a locked file, with the lines that belong to it."""
    name, lines = "", ""
    for line in text.splitlines(keepends=True):
        match = _BEGIN.match(line)
        if match:
            if name:
                yield name, lines
            name, lines = canonicalize_name(match[1]), ""
        if name and not line.lstrip().startswith("#"):
            lines += line
    if name:
        yield name, lines


def _having(module: str, locked: frozenset[str]) -> set[str]:
    """The locked distribution with the longest part of that module's name: google.cloud.workflows is one of many."""
    owners = _owners()
    parts = module.split(".")
    for end in range(len(parts), 0, -1):
        found = owners.get("/".join(parts[:end]), set()) & locked
        if found:
            return found
    raise KeyError(f"no locked package has the module {module}")


@cache
def _owners() -> dict[str, set[str]]:
    """By the path of a module or package without its ending: the distributions that have it as a file."""
    owners: dict[str, set[str]] = {}
    for one in distributions():
        name = canonicalize_name(one.metadata["Name"])
        for file in one.files or ():
            if file.suffix in (".py", ".so", ".pyd"):
                stem = file.as_posix().split(".", 1)[0]
                owners.setdefault(stem.removesuffix("/__init__"), set()).add(name)
    return owners


def _closed(names: set[str], locked: set[str]) -> set[str]:
    """Those distributions and everything they require on any platform that is locked."""
    found: set[str] = set()
    pending = {(name, "") for name in names}
    seen = set()
    while pending:
        name, extra = pending.pop()
        seen.add((name, extra))
        if name not in locked:
            continue
        found.add(name)
        one = _installed(name)
        for text in (one.requires or ()) if one is not None else ():
            requirement = Requirement(text)
            if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
                wanted = canonicalize_name(requirement.name)
                pending |= {(wanted, more) for more in ("", *requirement.extras)} - seen
    return found


def _installed(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None  # locked for another platform
