"""YAML (and so JSON) with the line of every item, by PyYAML's node graph and the YAML 1.2 scalars."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import yaml

from infra.local.workflows.errors import WorkflowError
from infra.local.workflows.limits import ALIAS_ITEMS
from infra.local.workflows.values import INT_MAX, INT_MIN

_INTEGER = re.compile(r"[-+]?[0-9]+")
_DOUBLE = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)(?:[eE][-+]?[0-9]+)?")
_WORDS: dict[str, bool | None] = {
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
    "null": None,
    "Null": None,
    "NULL": None,
    "~": None,
    "": None,
}


@dataclass(frozen=True)
class Item:
    """A scalar, a list of items or a map of items, with the line (from 1) where it begins."""

    value: Any
    line: int
    key_lines: dict[str, int] | None = None

    @property
    def is_map(self) -> bool:
        return isinstance(self.value, dict)

    @property
    def is_list(self) -> bool:
        return isinstance(self.value, list)

    def line_of(self, key: str) -> int:
        """The line of a key of this map."""
        return (self.key_lines or {}).get(key, self.line)


def load(text: str, file: str) -> Item:
    """The one document in `text`. Raises WorkflowError."""
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise WorkflowError(file, mark.line + 1 if mark else 1, f"not YAML: {error.problem}") from error
    except yaml.YAMLError as error:
        raise WorkflowError(file, 1, f"not YAML: {error}") from error
    if node is None:
        raise WorkflowError(file, 1, "the source is empty")
    return _Reader(file).item(node, ())


class _Reader:
    """Makes items of nodes; what stands behind an alias is read again at each use, within a bound."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._seen: set[int] = set()
        self._repeated = 0

    def item(self, node: yaml.Node, above: tuple[int, ...]) -> Item:
        line = node.start_mark.line + 1
        if id(node) in above:
            raise WorkflowError(self._file, line, "an alias refers to what contains it")
        self._count(node, line)
        above = (*above, id(node))
        if isinstance(node, yaml.ScalarNode):
            return Item(_scalar(node, self._file), line)
        if isinstance(node, yaml.SequenceNode):
            return Item([self.item(child, above) for child in node.value], line)
        return self._map(node, above)

    def _count(self, node: yaml.Node, line: int) -> None:
        """A node that comes again comes by an alias."""
        if id(node) not in self._seen:
            self._seen.add(id(node))
            return
        self._repeated += 1
        if self._repeated > ALIAS_ITEMS:
            raise WorkflowError(self._file, line, f"its aliases stand for more than {ALIAS_ITEMS} items")

    def _map(self, node: yaml.Node, above: tuple[int, ...]) -> Item:
        items: dict[str, Item] = {}
        lines: dict[str, int] = {}
        for key, child in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                raise WorkflowError(self._file, line, "a key must be a string")
            if key.value in items:
                raise WorkflowError(self._file, line, f"the key '{key.value}' appears twice")
            items[key.value], lines[key.value] = self.item(child, above), line
        return Item(items, node.start_mark.line + 1, lines)


def _scalar(node: yaml.ScalarNode, file: str) -> Any:
    text: str = node.value
    if node.style is not None and node.style != "":
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        number = int(text)
        if not INT_MIN <= number <= INT_MAX:
            raise WorkflowError(file, node.start_mark.line + 1, f"integer {text} does not fit 64 bits")
        return number
    return float(text) if _DOUBLE.fullmatch(text) else text
