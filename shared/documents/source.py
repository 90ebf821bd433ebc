"""A file as it is read: parts of it, a batch at a time, each batch in a worker; a part that ends its worker is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shared.contracts.documents import DocumentType
from shared.documents.sandbox import Workers
from shared.gateway.sandbox import WorkerDied
from shared.gateway.transport import Cut

BATCH = 20
"""Pages that one worker reads."""
BATCH_SECONDS = 40.0
ALONE_SECONDS = 10.0
"""And for one page, where a batch took too long: so a slow page is known from those beside it."""


@dataclass
class Part:
    """The text of a page, a sheet, or the whole; what was wrong with it; and the tables in it."""

    text: str
    problems: list[dict[str, Any]] = field(default_factory=list)
    tables: list[dict[str, Any]] = field(default_factory=list)


class Source:
    """The parts of one file, each read once; `total` and `paged` are known after the first."""

    def __init__(self, path: Path, kind: DocumentType, workers: Workers, cut: Cut) -> None:
        self._path, self._kind, self._workers, self._cut = path, kind, workers, cut
        self._parts: dict[int, Part] = {}
        self.total: int | None = None
        self.paged = False

    def part(self, number: int) -> Part | None:
        """The part of that number, from 0; None behind the last. Raises Refused, WorkerDied, TransportError."""
        if self.total is not None and number >= self.total:
            return None
        if number not in self._parts:
            self._parts = self._batch(number)
        return self._parts.get(number)

    def _batch(self, first: int) -> dict[int, Part]:
        try:
            return self._read(first, BATCH, BATCH_SECONDS)
        except WorkerDied:
            if self._kind is not DocumentType.PDF:
                raise
        return self._one_by_one(first)

    def _one_by_one(self, first: int) -> dict[int, Part]:
        """Pages alone, so that the one which ends its worker is told and those around it are kept."""
        found: dict[int, Part] = {}
        for number in range(first, first + BATCH):
            if self.total is not None and number >= self.total:
                break
            try:
                found |= self._read(number, 1, ALONE_SECONDS)
            except WorkerDied as error:
                if self.total is None:
                    self._read(first, 0, ALONE_SECONDS)  # how many there are; a file that hides even that is given up
                found[number] = Part("", [{"page": number + 1, "message": f"The page cannot be read: {error.message}"}])
        return found

    def _read(self, first: int, count: int, seconds: float) -> dict[int, Part]:
        job = {"job": "read", "path": str(self._path), "type": self._kind.value, "first": first, "count": count}
        answer = self._workers.work(job, seconds=seconds, cut=self._cut)
        self.total, self.paged = int(answer["total"]), bool(answer["paged"])
        parts = {first + at: Part(text) for at, text in enumerate(answer["texts"])}
        _given_out(parts, first, answer["problems"], "problems")
        _given_out(parts, first, answer["tables"], "tables")
        return parts


def _given_out(parts: dict[int, Part], first: int, found: Sequence[dict[str, Any]], what: str) -> None:
    """To the parts that they name; those of the whole to the first."""
    for one in found:
        page = one.get("page")
        part = parts.get(page - 1 if page else first, parts.get(first))
        if part is not None:
            getattr(part, what).append(one)
