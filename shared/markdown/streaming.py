"""Text that is still being written: blocks that are finished are rendered once and never again."""

from __future__ import annotations

from dataclasses import dataclass

from shared.markdown.parser import parser
from shared.markdown.render import rendered, visible

_QUICK = 2_000
"""A block this long, in characters, is looked at again with every line; a longer one when it has grown by a sixteenth.
So a list or a table of a thousand lines costs some twenty looks at it, not a thousand."""


@dataclass(frozen=True)
class Blocks:
    """`finished` are the HTML of blocks that no further text changes; `tail` is the HTML of the last one, so far.

    One difference to the whole: a reference `[x]` whose definition comes later is resolved only in `html(text)`.
    """

    finished: tuple[str, ...]
    tail: str


class Growing:
    """A text that comes in pieces. Adding costs what its last block costs at most, and mostly nothing."""

    def __init__(self) -> None:
        self._open = ""
        self._new_line = False
        self._enough = 0

    def add(self, piece: str) -> tuple[str, ...]:
        """The HTML of the blocks that this piece is found to finish: that shows when the line after them begins."""
        self._open += visible(piece)
        self._new_line = self._new_line or "\n" in piece
        if not self._new_line or self._open[-1:].isspace() or len(self._open) < self._enough:
            return ()
        finished = self.finished()
        length = len(self._open)
        self._new_line, self._enough = False, length + length // 16 if length > _QUICK else 0
        return finished

    def finished(self) -> tuple[str, ...]:
        """The HTML of all blocks but the last one, which alone is kept."""
        tokens = parser().parse(self._open)
        starts = [n for n, token in enumerate(tokens) if token.level == 0 and token.nesting >= 0]
        last = tokens[starts[-1]].map if len(starts) > 1 else None
        if last is None:
            return ()
        self._open = "".join(self._open.splitlines(keepends=True)[last[0] :])
        return tuple(rendered(tokens[start:end]) for start, end in zip(starts[:-1], starts[1:], strict=True))

    @property
    def tail(self) -> str:
        """The Markdown of what is not finished, so far."""
        return self._open

    def finish(self) -> str:
        """The HTML of the rest, which is finished now; empty when there is none."""
        text, self._open = self._open, ""
        return rendered(parser().parse(text))


def blocks(text: str) -> Blocks:
    """All of a text at once; its HTML is the finished blocks and the tail, one after the other."""
    growing = Growing()
    finished = growing.add(text) + growing.finished()
    return Blocks(finished, growing.finish())
