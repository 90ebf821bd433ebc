"""Nothing that comes from outside writes on a terminal what it wants."""

from __future__ import annotations

import pytest

from shared.errors import InputError, Transient
from shared.printable import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Straße 漢 🧠", "Straße 漢 🧠"),
        ("a\x1b[31m", "a\\x1b[31m"),
        ("one\r\n\ttwo", "one   two"),
        ("\0\x07\x9b\u202e\ud800", "\\x00\\x07\\x9b\\u202e\\ud800"),
    ],
)
def test_control_characters_are_shown_and_not_obeyed(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.parametrize("kind", [InputError, Transient])
def test_a_message_is_printable_whatever_it_quotes(kind: type[InputError | Transient]) -> None:
    error = kind("quota\x1b]0;owned\x07 exceeded")
    assert error.message == str(error) == error.answer().error.message == "quota\\x1b]0;owned\\x07 exceeded"
