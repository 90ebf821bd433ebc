"""What a table has: names and types of its columns, judged by all its values, how many rows, and the first of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Any

from shared.contracts.limits import TABLE_CELL_CHARACTERS, TABLE_COLUMNS, TABLE_FIRST_ROWS

_INTEGER = re.compile(r"[+-]?\d{1,18}\Z")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\Z")
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?\Z")
_BOOLEAN = re.compile(r"(?:true|false|yes|no)\Z", re.I)
_TYPES: tuple[tuple[str, Callable[[str], Any]], ...] = (
    ("integer", _INTEGER.match),
    ("number", _NUMBER.match),
    ("date", _DATE.match),
    ("boolean", _BOOLEAN.match),
)


def text_of(value: Any) -> str:
    """A value of a cell as text; a moment at midnight is a day."""
    if value is None:
        return ""
    if isinstance(value, datetime) and (value.hour, value.minute, value.second, value.microsecond) == (0, 0, 0, 0):
        return value.date().isoformat()
    if isinstance(value, datetime | date):
        return value.isoformat(sep=" ") if isinstance(value, datetime) else value.isoformat()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def shown(cell: str) -> str:
    """On one line, and no longer than a page can bear."""
    return " ".join(cell.split())[:1_000]


class Schema:
    """Fed row by row."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._names: list[str] = []
        self._types: list[list[str]] = []
        self._first: list[list[str]] = []
        self._rows = 0
        self.width = 0
        """Columns of the widest row."""

    @property
    def left_out(self) -> int:
        """Columns that were left out."""
        return max(0, self.width - TABLE_COLUMNS)

    def row(self, values: Sequence[Any]) -> list[str]:
        """Take a row in, and give it as texts, as many as are kept."""
        cells = [text_of(value).strip() for value in values[:TABLE_COLUMNS]]
        if not any(cells):
            return cells
        self.width = max(self.width, len(values))
        if not self._names and not self._rows:
            self._names = [cell[:TABLE_CELL_CHARACTERS] for cell in cells] if _is_heading(cells) else []
            if self._names:
                return cells
        self._rows += 1
        if len(self._first) < TABLE_FIRST_ROWS:
            self._first.append([shown(cell)[:TABLE_CELL_CHARACTERS] for cell in cells])
        self._learn(cells)
        return cells

    def _learn(self, cells: Sequence[str]) -> None:
        while len(self._types) < len(cells):
            self._types.append([name for name, _ in _TYPES] + ["new"])
        for cell, open_types in zip(cells, self._types, strict=False):
            if cell and open_types:
                open_types[:] = [name for name, fits in _TYPES if name in open_types and fits(cell)]

    def table(self) -> dict[str, Any]:
        """A shared.contracts.documents.Table."""
        count = min(self.width, TABLE_COLUMNS)
        names = [self._names[at] if at < len(self._names) else "" for at in range(count)]
        types = [self._types[at] if at < len(self._types) else ["new"] for at in range(count)]
        columns = [
            {"name": name or f"column {at}", "type": _chosen(found)}
            for at, (name, found) in enumerate(zip(names, types, strict=True), 1)
        ]
        first = [{"cells": row} for row in self._first]
        return {"name": self._name, "columns": columns, "rows": self._rows, "first_rows": first}


def _is_heading(cells: Sequence[str]) -> bool:
    """The first row names the columns unless one of its cells is a number or a day."""
    return not any(_NUMBER.match(cell) or _DATE.match(cell) for cell in cells)


def _chosen(found: Sequence[str]) -> str:
    """The narrowest type that all values had; text where there was none, or no value."""
    return found[0] if found and "new" not in found else "text"
