"""Bodies are cut on character boundaries and nothing is lost."""

from __future__ import annotations

import random

import pytest

from shared.contracts.limits import NOTE_INLINE_BYTES, NOTE_PART_BYTES
from shared.store.note_body import split


@pytest.mark.parametrize("alphabet", ["a", "é", "漢", "🧠", "aé漢🧠\u0301\x00\n"])
def test_pieces_join_to_the_body_and_keep_their_bounds(alphabet: str) -> None:
    chosen = random.Random(1)
    for size in (0, 1, 24_999, 25_000, 33_333, 33_334, 100_000, 100_001, 700_000):
        body = "".join(chosen.choices(alphabet, k=size))
        inline, parts = split(body)
        assert inline + "".join(parts) == body
        assert len(inline.encode()) <= NOTE_INLINE_BYTES
        assert all(0 < len(part.encode()) <= NOTE_PART_BYTES for part in parts)


def test_a_body_that_fits_has_no_parts() -> None:
    assert split("a" * NOTE_INLINE_BYTES) == ("a" * NOTE_INLINE_BYTES, ())
    assert split("a" * (NOTE_INLINE_BYTES + 1)) == ("a" * NOTE_INLINE_BYTES, ("a",))


def test_a_character_across_the_cut_goes_whole_into_the_part() -> None:
    inline, parts = split("a" * (NOTE_INLINE_BYTES - 1) + "漢" + "b")
    assert inline == "a" * (NOTE_INLINE_BYTES - 1) and parts == ("漢b",)
