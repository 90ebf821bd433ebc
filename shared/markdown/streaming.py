"""Text that is still being written: blocks that are finished are rendered once and never again."""

from __future__ import annotations

from dataclasses import dataclass

from shared.markdown.parser import parser
from shared.markdown.render import rendered, visible


@dataclass(frozen=True)
class Blocks:
    """`finished` are the HTML of blocks that no further text changes; `tail` is the HTML of the last one, so far.

    One difference to the whole: a reference `[x]` whose definition comes later is resolved only in `html(text)`.
    """

    finished: tuple[str, ...]
    tail: str


class Growing:
    """A text that comes in pieces. Adding costs what its last block costs, however long the text has grown."""

    def __init__(self) -> None:
        self._open = ""

    def add(self, piece: str) -> Blocks:
        """The blocks that this piece has finished, and the tail after it."""
        self._open += visible(piece)
        tokens = parser().parse(self._open)
        starts = [n for n, token in enumerate(tokens) if token.level == 0 and token.nesting >= 0]
        if len(starts) < 2:
            return Blocks((), rendered(tokens))
        bounds = [*starts, len(tokens)]
        finished = [rendered(tokens[start:end]) for start, end in zip(bounds[:-2], bounds[1:-1], strict=True)]
        last = tokens[starts[-1]].map
        self._open = "".join(self._open.splitlines(keepends=True)[last[0] if last else 0 :])
        return Blocks(tuple(finished), rendered(tokens[starts[-1] :]))

    @property
    def tail(self) -> str:
        """The Markdown of the last block, so far."""
        return self._open

    def finish(self) -> str:
        """The HTML of the last block, which is finished now; empty when there is none."""
        text, self._open = self._open, ""
        return rendered(parser().parse(text))


def blocks(text: str) -> Blocks:
    """All of a text at once; its HTML is the finished blocks and the tail, one after the other."""
    return Growing().add(text)
