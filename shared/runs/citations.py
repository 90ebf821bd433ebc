"""From an answer with ids of sources to one with numbers: resolved by code alone, from the source table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from shared.contracts.limits import CITATIONS_BYTES, TITLE_CHARACTERS
from shared.contracts.notes import Citation
from shared.contracts.runs import NumberedSource, RunStep
from shared.contracts.sources import Source
from shared.links import source_line
from shared.runs.citing import identity

IDS = re.compile(r"[ \t]*\[\s*(\d+\.\d+(?:\s*[,;]\s*\d+\.\d+)*)\s*\](?!\()")
"""Ids of sources in a text, with the blanks before them; not the words of a link."""
_LEAST_BYTES = 200
"""What a citation takes besides its title and its address, at most."""


@dataclass(frozen=True)
class Cited:
    """`text` has the numbers of `citations` in it; `ids` are the table's; `dropped` counts those in none."""

    text: str
    citations: tuple[Citation, ...]
    ids: tuple[str, ...]
    dropped: int
    given: str = ""
    """The text with the ids, as the model wrote it."""

    @property
    def body(self) -> str:
        """The text with the list of its sources."""
        lines = [f"{one.n}. {source_line(one)}" for one in self.citations]
        return "\n".join([self.text, "", "## Sources", "", *lines]) if lines else self.text


def table_of(steps: Iterable[RunStep]) -> dict[str, NumberedSource]:
    """All that the tools of a run brought in, by id."""
    return {one.id: one for step in steps for one in step.sources}


def split_ids(listed: str) -> list[str]:
    """The ids between two brackets."""
    return re.split(r"\s*[,;]\s*", listed)


def cited(text: str, table: Mapping[str, NumberedSource]) -> Cited:
    """Number the sources in the order of the text, each once however many ids it has."""
    numbers: dict[object, int] = {}
    chosen: list[NumberedSource] = []
    dropped, size = 0, 0

    def mark(match: re.Match[str]) -> str:
        nonlocal dropped, size
        marks: dict[int, None] = {}
        for name in split_ids(match[1]):
            known = table.get(name)
            number = numbers.get(identity(known.source)) if known is not None else None
            if known is not None and number is None:
                size += _size(known.source)
                if size <= CITATIONS_BYTES:
                    chosen.append(known)
                    number = numbers[identity(known.source)] = len(chosen)
            if number is None:
                dropped += 1
            else:
                marks[number] = None
        return " " + "".join(f"[{number}]" for number in marks) if marks else ""

    marked = IDS.sub(mark, text).strip()
    citations = tuple(_citation(n, one.source) for n, one in enumerate(chosen, 1))
    return Cited(marked, citations, tuple(one.id for one in chosen), dropped, text)


def _citation(n: int, source: Source) -> Citation:
    return Citation(
        n=n,
        title=(source.title or source.url or "untitled")[:TITLE_CHARACTERS],
        url=source.url,
        note_id=source.note_id,
        document_id=source.document_id,
        page=source.page,
    )


def _size(source: Source) -> int:
    return _LEAST_BYTES + len((source.title[:TITLE_CHARACTERS] + (source.url or "")).encode())
