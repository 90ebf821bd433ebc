"""How far it is: one line that changes on a terminal, a line a step elsewhere, nothing with --json."""

from __future__ import annotations

import click

from infra.cli.terminal import one_line, wants_colour


def size_of(size: float) -> str:
    """Bytes as people say them."""
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"


class Steps:
    """Steps of something long. Everything goes to standard error."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._moving = wants_colour(err=True)
        self._open = False

    def now(self, text: str) -> None:
        """Within a step."""
        if self._moving and not self._quiet:
            click.echo(f"\r\x1b[K  {one_line(text, 100)}", nl=False, err=True)
            self._open = True

    def clear(self) -> None:
        """Take away what `now` has shown."""
        if self._open:
            click.echo("\r\x1b[K", nl=False, err=True)
            self._open = False

    def done(self, text: str) -> None:
        """A step is done, or there is something to say."""
        if self._quiet:
            return
        start = "\r\x1b[K" if self._open else ""
        self._open = False
        indent = text[: len(text) - len(text.lstrip())]
        click.echo(f"{start}{indent}{one_line(text)}", err=True)
