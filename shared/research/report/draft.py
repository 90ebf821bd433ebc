"""A run's text as pieces: text, and mentions of sources at their places, not yet numbered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shared.research.report.annotations import Annotated, Placed, annotated
from shared.research.report.evidence import tools_gave_nothing
from shared.research.report.links import Edit, Sources, definitions, edits
from shared.research.report.parts import join
from shared.research.report.source_list import split_sources
from shared.research.report.targets import Mention, Target

Piece = str | Mention

CUT = "\n\n*(The report was longer than a note can be; the rest was cut.)*"


@dataclass(frozen=True)
class Draft:
    """`unplaced` are sources without a place in the text; `mended` and `dropped` count faulty citations."""

    pieces: tuple[Piece, ...]
    unplaced: tuple[Mention, ...]
    mended: int
    dropped: int

    @property
    def mentions(self) -> list[Mention]:
        return [*(piece for piece in self.pieces if isinstance(piece, Mention)), *self.unplaced]

    @property
    def urls(self) -> list[str]:
        """Every web address that is cited."""
        return [mention.target.url for mention in self.mentions if mention.target.url]

    @property
    def note_ids(self) -> list[str]:
        return list(dict.fromkeys(m.target.note_id for m in self.mentions if m.target.note_id))

    @property
    def document_ids(self) -> list[str]:
        return list(dict.fromkeys(m.target.document_id for m in self.mentions if m.target.document_id))


def draft(steps: Sequence[Mapping[str, Any]]) -> Draft:
    """Read text and citations out of the steps. Never fails, whatever the steps look like."""
    joined = join(steps)
    marked = annotated(joined)
    listed = split_sources(joined.text)
    sources = Sources(listed.numbered, definitions(listed.text))
    changes = list(edits(listed.text, sources))
    dropped = marked.dropped + sum(change.dropped for change in changes)
    inside = [placed for placed in marked.placed if placed.position <= len(listed.text)]
    beyond = [placed.mention for placed in marked.placed if placed.position > len(listed.text)]
    pieces = [*_pieces(listed.text, changes, inside), *([CUT] if joined.cut else [])]
    unplaced = [*beyond, *listed.numbered.values()]
    if tools_gave_nothing(steps):
        pieces, unplaced, refused = _only_annotated(pieces, unplaced, marked)
        dropped += refused
    return Draft(tuple(pieces), tuple(unplaced), marked.mended, dropped)


def _pieces(text: str, changes: Iterable[Edit], placed: Sequence[Placed]) -> Iterator[Piece]:
    """The text with its edits made; a mention that falls inside an edit goes behind it."""
    waiting = list(reversed(placed))
    cursor = 0
    for change in changes:
        yield from _plain(text, cursor, change.start, waiting)
        yield change.text
        yield from change.mentions
        while waiting and waiting[-1].position <= change.end:
            yield waiting.pop().mention
        cursor = change.end
    yield from _plain(text, cursor, len(text), waiting)


def _plain(text: str, start: int, end: int, waiting: list[Placed]) -> Iterator[Piece]:
    """text[start:end] with the mentions that belong there, taken off the end of `waiting`."""
    while waiting and waiting[-1].position <= end:
        placed = waiting.pop()
        yield text[start : placed.position]
        yield placed.mention
        start = max(start, placed.position)
    yield text[start:end]


def _only_annotated(
    pieces: Sequence[Piece], unplaced: Sequence[Mention], marked: Annotated
) -> tuple[list[Piece], list[Mention], int]:
    """Without the web links that only the text names: with no tool that found something, they are invented."""
    backed: set[Target] = {placed.mention.target for placed in marked.placed}

    def stays(piece: Piece) -> bool:
        return isinstance(piece, str) or piece.target.url is None or piece.target in backed

    kept, rest = [p for p in pieces if stays(p)], [m for m in unplaced if stays(m)]
    return kept, rest, len(pieces) + len(unplaced) - len(kept) - len(rest)
