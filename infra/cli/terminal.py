"""What goes to a terminal: text without hidden controls, colour where it is wanted, JSON by the line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
"""Controls, and the marks that turn or hide text; tab and line feed may stay."""


def printable(text: str) -> str:
    """The text with every control character spelled out, so that a note cannot drive the terminal."""
    text = text.replace("\r\n", "\n")
    return _HIDDEN.sub(_spelled, text)


def _spelled(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def one_line(text: str, limit: int = 0) -> str:
    """Printable text on one line, cut to `limit` characters where one is given."""
    flat = " ".join(printable(text).split())
    return flat[: limit - 1] + "…" if limit and len(flat) > limit else flat


def minute(moment: str) -> str:
    """A moment of an answer, which is in UTC, to the minute."""
    return moment[:16].replace("T", " ")


def columns() -> int:
    """How wide the terminal is; 100 where there is none."""
    import shutil

    return shutil.get_terminal_size((100, 24)).columns


def wrapped(text: str) -> str:
    """The text in lines no longer than the terminal is wide, 100 characters at most."""
    import textwrap

    return textwrap.fill(text, min(100, columns()), break_on_hyphens=False)


def print_json(value: Any) -> None:
    """One JSON value on one line, flushed, ASCII only: safe for a terminal and for a pipe."""
    click.echo(json.dumps(value, separators=(",", ":")).replace("\x7f", "\\u007f"))


def wants_colour(err: bool = False) -> bool:
    """Whether the stream is a terminal and NO_COLOR does not forbid colour."""
    import os
    import sys

    stream = sys.stderr if err else sys.stdout
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def is_terminal() -> bool:
    """Whether standard output is a terminal."""
    import sys

    return sys.stdout.isatty()


def styled(text: str, **style: Any) -> str:
    """The text in a style, where colour is wanted."""
    return click.style(text, **style) if wants_colour() else text


_STATUS = {
    **dict.fromkeys(("running", "queued", "planning", "synthesising", "uploading", "extracting"), ("◌", "blue")),
    **dict.fromkeys(("completed", "succeeded", "ready", "done"), ("✓", "green")),
    "failed": ("✗", "red"),
    "cancelled": ("–", "yellow"),
    "pending": ("·", "white"),
    "awaiting_approval": ("?", "yellow"),
    "skipped": ("–", "white"),
}


def status_mark(status: str) -> str:
    """A status as icon and word, and as colour where that is wanted."""
    icon, colour = _STATUS.get(status, ("?", "white"))
    return styled(f"{icon} {one_line(status)}", fg=colour)


def facts(values: Mapping[str, Any]) -> Iterator[str]:
    """Names and what they have, a line each; what there is none of is left out."""
    for name, value in values.items():
        if value not in (None, ""):
            yield f"  {name:<12} {one_line(str(value))}"


def table(rows: Sequence[Sequence[str]], header: Sequence[str], *, none: str = "") -> None:
    """Columns, padded to their widest cell; the last one is left as it is. Cells must be printable.

    Without rows `none` is said on standard error, where it is given.
    """
    from click import unstyle

    if not rows and none:
        click.echo(none, err=True)
        return
    lines = [list(header), *[list(row) for row in rows]]
    widths = [max(len(unstyle(line[column])) for line in lines) for column in range(len(header))]
    for number, line in enumerate(lines):
        cells = [cell + " " * (width - len(unstyle(cell))) for cell, width in zip(line, widths, strict=True)]
        text = "  ".join(cells).rstrip()
        click.echo(styled(text, dim=True) if number == 0 else text)
