"""Links to the page's own places, as a terminal shows them."""

from __future__ import annotations

import pytest

from infra.cli.places import Spelling, spelled


def test_places_of_the_page_are_said_by_their_ids() -> None:
    assert spelled("[Rye](#/notes/n1) and [d](#/documents/d1?page=3)") == "Rye (note n1) and d (document d1, page 3)"
    assert spelled("[What was said](#/chat/s1)") == "What was said (chat s1)"
    assert spelled("[x](#/settings) [y](https://a.example)") == "[x](#/settings) [y](https://a.example)"


@pytest.mark.parametrize("size", [1, 2, 7, 1_000])
def test_a_text_in_pieces_is_spelled_as_a_whole_one_is(size: int) -> None:
    text = "See [Rye](#/notes/n1), [lease.pdf](memex://documents/d1?page=2), [the web](https://a.example/x) and [1]."
    spelling = Spelling()
    pieces = [spelling.add(text[at : at + size]) for at in range(0, len(text), size)]
    assert "".join(pieces) + spelling.rest() == spelled(text)


def test_hardly_anything_is_held_back() -> None:
    spelling = Spelling()
    assert spelling.add("plain text, ") == "plain text, "
    assert spelling.add("[a list\n") == "[a list\n"
    assert len(spelling.add("[" + "x" * 400)) > 0
