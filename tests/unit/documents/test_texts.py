"""Text in pieces, and bytes as text."""

from __future__ import annotations

import random

import pytest

from shared.documents.texts import clean, decoded, pieces


@pytest.mark.parametrize("seed", range(20))
def test_pieces_joined_are_the_text_and_none_is_longer_than_wanted(seed: int) -> None:
    chance = random.Random(seed)
    text = "".join(chance.choice(["word ", "end. ", "\n", "\n\n", "x" * 50, "ü", "; "]) for _ in range(400))
    found = pieces(text, 100)
    assert "".join(found) == text and all(0 < len(one) <= 100 for one in found)


def test_a_piece_ends_where_a_paragraph_or_a_sentence_does() -> None:
    text = "First sentence here. Second one.\n\nThird paragraph goes on."
    assert pieces(text, 40) == ["First sentence here. Second one.\n\n", "Third paragraph goes on."]
    assert pieces("One sentence. Another sentence.", 20) == ["One sentence. ", "Another sentence."]
    assert pieces("", 10) == []


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("Über".encode(), "Über"),
        ("Über".encode("utf-8-sig"), "Über"),
        ("Über".encode("utf-16"), "Über"),
        ("Über".encode("cp1252"), "Über"),
        (b"\xff\xfeA", "\ufffd"),
        (b"+ADw-script+AD4-", "+ADw-script+AD4-"),
    ],
)
def test_bytes_are_read_by_their_mark_and_never_fail(data: bytes, text: str) -> None:
    assert decoded(data) == text


def test_controls_and_lone_surrogates_are_left_out() -> None:
    assert clean("a\x00b\ud800c\ufeff  \r\nd\re\x1b[0m\n\n\n\n\n\nf") == "abc\nd\ne[0m\n\n\nf"
