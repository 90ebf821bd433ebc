"""What a parser gives: some parts of a file, from one on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Say = dict[str, Any]
"""A problem: {page, message}."""


@dataclass
class Reading:
    """Parts (a page, a sheet, or the whole text) and how many the file has in all; `paged` says whether they are pages.

    `tables` are dictionaries of shared.contracts.documents.Table, of the parts that were read.
    """

    total: int
    paged: bool = True
    texts: list[str] = field(default_factory=list)
    problems: list[Say] = field(default_factory=list)
    tables: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class Wanted:
    """`count` parts of the file at `path`, from part `first` on, counted from 0."""

    path: Path
    first: int
    count: int

    def of(self, total: int) -> range:
        """The parts that there are."""
        return range(min(self.first, total), min(self.first + self.count, total))


Parser = Callable[[Wanted], Reading]


def problem(message: str, page: int | None = None) -> Say:
    return {"page": page, "message": message}
