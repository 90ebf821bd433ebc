"""A slice: the next pieces of a document's text, and where its extraction stands when they are stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from shared.contracts.documents import Chunk, Document, Position, Problem, Table
from shared.contracts.limits import DOCUMENT_CHARACTERS, DOCUMENT_PROBLEMS, TABLES_BYTES, TABLES_KEPT
from shared.documents.source import BATCH, Part, Source
from shared.documents.texts import pieces

SLICE_CHUNKS = 60
_SEPARATOR = "\n\n"


@dataclass(frozen=True)
class Slice:
    """`document` is the record as it will be; `ended` says that nothing comes after it."""

    document: Document
    chunks: tuple[Chunk, ...]
    ended: bool
    parts: int
    """How many parts the file has."""


def next_slice(document: Document, source: Source) -> Slice:
    """The pieces from the document's position on: the same ones each time it is asked. Raises as Source.part does."""
    taking = _Taking(document, source)
    while len(taking.chunks) < SLICE_CHUNKS and taking.parts_begun < BATCH and not taking.ended:
        taking.take()
    return taking.slice()


class _Taking:
    def __init__(self, document: Document, source: Source) -> None:
        self._document, self._source = document, source
        self._at = document.position
        self._characters = document.characters
        self._problems: list[Problem] = []
        self._tables: list[Table] = []
        self.chunks: list[Chunk] = []
        self.parts_begun = 0
        self.ended = False

    def take(self) -> None:
        """As much of the part where it stands as fits the slice."""
        part = self._source.part(self._at.part)
        if part is None:
            self.ended = True
            return
        if self._at.piece == 0:
            self.parts_begun += 1
            self._note(part)
        text = self._kept(part)
        found = pieces(text)
        taken = found[self._at.piece : self._at.piece + SLICE_CHUNKS - len(self.chunks)]
        self._add(found, taken)
        if self._at.piece + len(taken) < len(found):
            self._at = self._at.model_copy(update={"piece": self._at.piece + len(taken)})
        else:
            self._at = Position(part=self._at.part + 1, offset=self._at.offset + len(text))

    def _kept(self, part: Part) -> str:
        """The part's text with what parts it from the next, as far as a document's text may go."""
        text = part.text + _SEPARATOR if part.text and self._source.paged else part.text
        return text[: max(0, DOCUMENT_CHARACTERS - self._at.offset)]

    def _note(self, part: Part) -> None:
        self._problems += [Problem.model_validate(one) for one in part.problems]
        self._tables += [Table.model_validate(one) for one in part.tables]
        if self._at.offset + len(part.text) > DOCUMENT_CHARACTERS >= self._at.offset:
            message = f"Only the first {DOCUMENT_CHARACTERS:,} characters were kept."
            self._problems.append(Problem(page=self._at.part + 1 if self._source.paged else None, message=message))

    def _add(self, found: Sequence[str], taken: Sequence[str]) -> None:
        offset = self._at.offset + sum(map(len, found[: self._at.piece]))
        for text in taken:
            self.chunks.append(
                Chunk(
                    document_id=self._document.id,
                    n=self._document.chunks + len(self.chunks),
                    page=self._at.part + 1 if self._source.paged else None,
                    offset=offset,
                    text=text,
                )
            )
            offset += len(text)
        self._characters = max(self._characters, offset)

    def slice(self) -> Slice:
        total = self._source.total or 0
        self.ended = self.ended or self._at.part >= total
        after = self._document.model_copy(
            update={
                "position": self._at,
                "chunks": self._document.chunks + len(self.chunks),
                "characters": self._characters,
                "pages": total if self._source.paged else None,
                "problems": _capped((*self._document.problems, *self._problems)),
                "tables": _fitting((*self._document.tables, *self._tables)),
            }
        )
        return Slice(after, tuple(self.chunks), self.ended, total)


def _fitting(tables: tuple[Table, ...]) -> tuple[Table, ...]:
    """So many of the tables as a record can hold; of one that is too much its first rows go first."""
    kept, size = list[Table](), 0
    for table in tables[:TABLES_KEPT]:
        for shorter in (table, table.model_copy(update={"first_rows": ()})):
            bytes_ = len(shorter.model_dump_json().encode())
            if size + bytes_ <= TABLES_BYTES:
                kept.append(shorter)
                size += bytes_
                break
    return tuple(kept)


def _capped(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """The first ones; the last place says how many more there are."""
    if len(problems) <= DOCUMENT_PROBLEMS:
        return problems
    kept, last = problems[: DOCUMENT_PROBLEMS - 1], problems[DOCUMENT_PROBLEMS - 1]
    before = int(last.message.split()[0]) if last.message.endswith(_MORE) else 1
    more = before + len(problems) - DOCUMENT_PROBLEMS
    return (*kept, Problem(message=f"{more}{_MORE}"))


_MORE = " more problems were left out."


def fields_of(document: Document) -> dict[str, Any]:
    """What a slice sets in the record."""
    names = {"position", "chunks", "characters", "pages", "problems", "tables", "sha256"}
    return document.model_dump(include=names)


def with_digest(slice_: Slice, sha256: str) -> Slice:
    """With the digest of the file that was read."""
    return replace(slice_, document=slice_.document.model_copy(update={"sha256": sha256}))
