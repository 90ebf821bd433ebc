"""Text on its way to a terminal."""

from __future__ import annotations

import json

import pytest

from infra.cli.terminal import one_line, print_json, printable, table


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[2J", "\\x1b[2J"),
        ("\x9b31m", "\\x9b31m"),
        ("\x1b]8;;http://x\x07click", "\\x1b]8;;http://x\\x07click"),
        ("a\rb", "a\\x0db"),
        ("abc\x08\x08", "abc\\x08\\x08"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("\ud800", "\\ud800"),
    ],
)
def test_controls_are_spelled_out(hostile: str, shown: str) -> None:
    assert printable(hostile) == shown


def test_tabs_lines_and_other_scripts_stay() -> None:
    assert printable("a\tb\r\nc é 日本 😀") == "a\tb\nc é 日本 😀"


def test_one_line_is_cut_with_a_mark() -> None:
    assert one_line("a\n b\tc") == "a b c"
    assert one_line("abcdef", 4) == "abc…"


def test_json_is_one_ascii_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"a": "é\x1b\x7f\u2028\n"})
    out = capsys.readouterr().out
    assert out.isascii() and out.count("\n") == 1 and "\x1b" not in out and "\x7f" not in out
    assert json.loads(out) == {"a": "é\x1b\x7f\u2028\n"}


def test_columns_are_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    table([("a", "x"), ("long", "y")], ("id", "t"))
    assert capsys.readouterr().out == "id    t\na     x\nlong  y\n"
