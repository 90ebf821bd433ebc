"""Blocks of a text that is being written, each with what is written behind it."""

from __future__ import annotations

from shared.chat.streaming import Blocks
from shared.contracts.chat import TextPiece


def test_the_tail_is_what_the_finished_blocks_leave_and_grows_by_the_pieces_that_follow() -> None:
    text = "# One\n\nTwo *and* more.\n\n- a\n- b\n\nThree."
    blocks, html, tail = Blocks(), "", ""
    for piece in (text[n : n + 7] for n in range(0, len(text), 7)):
        tail += piece
        for block in blocks.add(TextPiece(turn_id="t", iteration=1, text=piece)):
            html, tail = html + block.html, block.tail
    assert (tail, "<li>b</li>" in html, "Three" in html) == ("Three.", True, False)
