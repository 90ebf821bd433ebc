"""Reads Terraform's files as plain data: python-hcl2 keeps the quotes of names, which nobody here wants to see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

KINDS = ("resource", "data", "module", "variable", "output", "provider")
LABELS = {"resource": 2, "data": 2}


@dataclass(frozen=True)
class Block:
    """A block at the top of a file: its kind, its labels, what stands in it, and its file."""

    kind: str
    labels: tuple[str, ...]
    body: Mapping[str, Any]
    path: Path

    @property
    def address(self) -> str:
        """As Terraform writes it."""
        return ".".join((self.kind, *self.labels))


def blocks_of(folder: Path) -> Iterator[Block]:
    """Every top-level block of the .tf files below the folder. Raises hcl2's error for what is no HCL."""
    for path in sorted(folder.rglob("*.tf")):
        if ".terraform" not in path.parts:
            yield from _blocks(path)


@lru_cache
def _blocks(path: Path) -> tuple[Block, ...]:
    found = []
    for kind, entries in parse(path).items():
        for entry in entries if isinstance(entries, list) else []:
            labels, body = _labelled(entry, LABELS.get(kind, 1 if kind in KINDS else 0))
            found.append(Block(kind, labels, body, path))
    return tuple(found)


def _labelled(entry: Mapping[str, Any], depth: int) -> tuple[tuple[str, ...], Mapping[str, Any]]:
    labels: list[str] = []
    for _ in range(depth):
        [(label, entry)] = [(key, value) for key, value in entry.items() if not key.startswith("__")]
        labels.append(label)
    return tuple(labels), entry


def parse(path: Path) -> dict[str, Any]:
    """The file as nested dictionaries, names and plain strings without their quotes."""
    import hcl2

    with path.open(encoding="utf-8") as file:
        parsed: dict[str, Any] = _plain(hcl2.load(file))
    return parsed


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            _unquoted(key): _plain(inner) for key, inner in value.items() if key not in ("__is_block__", "__comments__")
        }
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return _unquoted(value) if isinstance(value, str) else value


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text
