"""ctrl-C and SIGTERM as a wish to stop: the first is asked politely, the second is taken at its word."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import click

from infra.cli.terminal import one_line

INTERRUPTED = 130
"""The exit code of a shell's command that ctrl-C ended."""


class Stopped(Exception):
    """What was being started is wanted no more."""


@contextmanager
def on_stop(stop: threading.Event) -> Iterator[None]:
    """While inside, SIGINT and SIGTERM set `stop`; the next one of the same kind ends the process at once."""

    def ask(number: int, frame: FrameType | None) -> None:
        stop.set()
        signal.signal(number, signal.SIG_DFL)

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def left_alone(group: str, identifier: str) -> int:
    """Say that what was watched goes on, and by which commands of the group; the exit code for it."""
    named = one_line(identifier)
    click.echo(
        f"\nIt goes on. memex {group} watch {named} follows it, memex {group} cancel {named} stops it.", err=True
    )
    return INTERRUPTED
