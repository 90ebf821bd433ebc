"""A session's title is its first message, cut at a word."""

from __future__ import annotations

import pytest

from shared.chat.titles import TITLE_CHARACTERS, title_of


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("Short", "Short"),
        ("  Two\n\nlines  ", "Two lines"),
        ("x" * 60, "x" * 60),
        ("x" * 61, "x" * 59 + "…"),
        ("word " * 30, ("word " * 12).strip() + "…"),
        ("One sentence that ends in a comma just where it has to be, cut off", None),
    ],
)
def test_a_title(message: str, title: str | None) -> None:
    made = title_of(message)
    assert len(made) <= TITLE_CHARACTERS + 1 and "\n" not in made
    assert title is None or made == title
    assert not made.endswith((" …", ",…"))
